import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import { FakeEvaluator } from '../bench/fakeEvaluator';

describe('an audit with two image folders', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'captious-folders-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const audit = (contents: readonly string[]) => {
    const images = contents.map((content, i) => {
      const path = join(folder, String(i));
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'a.jpg'), content);
      return path;
    });
    const dataset = join(folder, 'data.jsonl');
    writeFileSync(
      dataset,
      '{"image": "a.jpg", "caption": "a dog", "caption2": "a hound", "negative": "a cat"}\n',
    );
    return runAudit({
      ...{ dataset, images, probes: ['visla'], evaluators: [new FakeEvaluator()] },
      ...{ out: join(folder, 'out'), home: join(folder, 'home'), signal: new AbortController().signal },
    });
  };

  it('stops if they have different files for an image, and names both', async () => {
    const error = await audit(['one', 'two']).then(
      () => assert.fail('no error'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof CaptiousError && error.kind === 'usage');
    for (const i of [0, 1]) assert.ok(error.describe().includes(join(folder, String(i), 'a.jpg')));
  });

  it('takes either if their files are the same', async () => {
    const [{ report }] = await audit(['one', 'one']);
    assert.equal(report.dataset.examples, 1);
  });
});
