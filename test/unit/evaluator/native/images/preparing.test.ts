import { english } from '../../../../../src/base/english';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Engine } from '../../../../../src/evaluator/native/engine';
import type { ImageSpec } from '../../../../../src/protocol/imageSpec';

const imageFolder = join(__dirname, '../../../../fixtures/pictures');
const spec: ImageSpec = {
  width: 8,
  height: 8,
  layout: 'channels-first',
  order: 'rgb',
  crop: undefined,
  resize: { rule: 'exact', width: 8, height: 8, filter: 'bicubic' },
  rescale: 1 / 255,
  mean: [0, 0, 0],
  std: [1, 1, 1],
};

describe('threads that prepare images', () => {
  let engine: Engine;
  beforeEach(() => {
    engine = new Engine();
  });
  afterEach(() => engine.close());

  function prepare(names: readonly string[]) {
    const images = names.map((name) => ({
      kind: 'image' as const,
      source: { name, path: join(imageFolder, name) },
      transforms: [],
    }));
    return engine.run('pixels', { images, spec });
  }

  it('read every image while other threads start, with the same result', async () => {
    const { problems, values, dimension } = await prepare(Array.from({ length: 40 }, () => 'colour.png'));
    assert.deepEqual(
      problems.filter((problem) => problem !== undefined),
      [],
    );
    for (let i = 0; i < values.length; i++) assert.equal(values[i], values[i % dimension]);
  });

  it('parse no file of another kind', async () => {
    const { problems } = await prepare(['drawing.svg', 'drawing.png', 'bitmap.bmp', 'text.jpg']);
    for (const problem of problems) assert.match(english(problem ?? ''), /is not a JPEG, PNG/);
  });
});
