import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImageSpec } from '../../../../src/evaluator/model/images/preprocessing';
import { ModelFolder } from '../../../../src/evaluator/model/modelFolder';
import type { GraphHeader } from '../../../../src/evaluator/model/onnx/graphPorts';
import { say } from '../../../../src/base/say';
import { cleanUp, scratch } from '../fixtures';

describe('a file of a model folder', () => {
  afterEach(cleanUp);

  function problemWith(name: string, read: (folder: ModelFolder) => unknown, content?: string): string {
    const path = scratch();
    if (content === undefined) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), content);
    try {
      read(new ModelFolder(path));
    } catch (error) {
      return (error as Error & { describe(): string }).describe();
    }
    return 'none';
  }

  it('is not called invalid JSON if it cannot be read', () => {
    const problem = (content?: string) =>
      problemWith('config.json', (folder) => folder.json('config.json'), content);
    assert.match(
      problem('{"a": '),
      /config\.json: This is not valid JSON \(.*\)\. Download the file again\.$/,
    );
    assert.match(
      problem('['.repeat(100)),
      /config\.json: The JSON is nested more than 64 levels deep\. Down/,
    );
    assert.match(problem(), /config\.json: This is a folder, not a file\./);
  });

  it('is missing if no file can have its name', () => {
    for (const name of ['\0/config.json', `${'long'.repeat(100)}/config.json`]) {
      const missing = { what: say('model.folderFileMissing', name) };
      assert.throws(() => new ModelFolder(scratch()).require(name), missing);
    }
  });

  it('tells a value in another form from a missing value', () => {
    const graph: GraphHeader = {
      path: '',
      inputs: [],
      outputs: [],
      operators: new Set(),
      weights: new Map(),
      scalars: new Map(),
      external: [],
    };
    const problem = (config: object) =>
      problemWith(
        'preprocessor_config.json',
        (folder) => readImageSpec(folder, graph, 'pixel_values'),
        JSON.stringify(config),
      );
    const size = { height: 32, width: 32 };
    assert.match(problem({ resample: 3 }), /does not set size, and Captious has no default/);
    assert.match(
      problem({ resample: 3, size: '224' }),
      /cannot use the value of size for this image processor \(not named\)\. Write sizes as/,
    );
    assert.match(problem({ resample: 'bicubic', size }), /value of resample .*number from 0 to 5/);
    assert.match(
      problem({
        resample: 3,
        size: { shortest_edge: 32 },
        crop_size: 32,
        image_mean: [0, 0, 0],
        image_std: [1, 1, 1],
      }),
      /sets crop_size, but does not turn on do_center_crop/,
    );
  });
});
