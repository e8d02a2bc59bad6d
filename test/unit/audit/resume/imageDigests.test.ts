import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageDigests } from '../../../../src/audit/resume/imageDigests';
import { Fingerprints } from '../../../../src/base/files/fingerprints';
import { createBench } from '../../../../src/bench/createBench';
import { FakeEvaluator } from '../../bench/fakeEvaluator';

describe('the images of a run', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'captious-digests-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have no further results once they change', async () => {
    const path = join(folder, 'a.png');
    writeFileSync(path, 'one');
    const bench = createBench({ digests: new ImageDigests(new Fingerprints(undefined)) });
    const evaluator = new FakeEvaluator();
    const embed = async (): Promise<boolean> => {
      const [outcome] = await bench.embeddings(evaluator, [
        { kind: 'image', source: { name: 'a.png', path }, transforms: [] },
      ]);
      return outcome.ok;
    };
    assert.equal(await embed(), true);
    assert.equal(await embed(), true);
    writeFileSync(path, 'two');
    assert.equal(await embed(), false);
    assert.equal(await embed(), false);
    await bench.close();
  });
});
