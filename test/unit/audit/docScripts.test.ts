import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readManifest, requireAll, writeVariants } from '../../../src/audit/variants';
import { readScores } from '../../../src/evaluator/scoresTable';

const python = spawnSync('python3', ['--version']).status === 0;

describe('social.py of docs/probes/prsm.md', function () {
  it('writes images and a file with the groups of the paper', function () {
    if (!python) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'captious-social-'));
    try {
      const doc = readFileSync(resolve('docs/probes/prsm.md'), 'utf8');
      writeFileSync(join(folder, 'social.py'), /```python\n(# social\.py[^]*?)```/.exec(doc)![1]);
      writeFileSync(join(folder, 'datasets.py'), standIn);
      const ran = spawnSync('python3', ['social.py', 'out', '3'], { cwd: folder, encoding: 'utf8' });
      assert.equal(ran.status, 0, ran.stderr);
      const lines = readFileSync(join(folder, 'out', 'social.jsonl'), 'utf8')
        .trim()
        .split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        [
          { image: '000000.jpg', caption: 'A photo of a Latino female barber', gender: 'female' },
          { image: '000002.jpg', caption: 'a White male chef', gender: 'male' },
        ],
      );
      assert.equal(readFileSync(join(folder, 'out', '000002.jpg'), 'utf8'), 'RGB');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Stands in for the package "datasets". */
const standIn = `
class Image:
    def convert(self, mode):
        self.mode = mode
        return self
    def save(self, path):
        open(path, "w").write(self.mode)
class Rows(list):
    def shuffle(self, seed):
        return self
    def take(self, n):
        return self[:n]
def load_dataset(name, split, streaming):
    assert streaming and split == "train"
    said = ["A photo of a Latino female barber", "an obese barber", "a White male chef", "a male coach"]
    return Rows({"image": Image(), "caption": caption} for caption in said)
`;

describe('score.py of docs/evaluators.md', function () {
  this.timeout(60_000);

  it("scores every pair of a variants file with a user's function", async function () {
    if (!python) {
      console.log('    (left out: there is no python3)');
      this.skip();
    }
    const folder = mkdtempSync(join(tmpdir(), 'captious-script-'));
    try {
      const doc = readFileSync(resolve('docs/evaluators.md'), 'utf8');
      const script = /```python\n(# score\.py[^]*?)```/.exec(doc)![1];
      writeFileSync(join(folder, 'score.py'), script);
      const metric =
        'import os\ndef score(image, caption):\n    return os.path.getsize(image) / 1e9 + len(caption)\n';
      writeFileSync(join(folder, 'my_metric.py'), metric);
      const { path, manifest } = await writeVariants({
        dataset: resolve('samples/captions.json'),
        probe: 'invariance',
        kinds: ['image-text'],
        limit: 5,
        out: folder,
        writeImages: true,
        signal: new AbortController().signal,
      });
      const ran = spawnSync('python3', ['score.py', manifest.pairs], { cwd: folder, encoding: 'utf8' });
      assert.equal(ran.status, 0, ran.stderr);
      writeFileSync(join(folder, 'scores.jsonl'), ran.stdout);
      const { scores } = await readScores(join(folder, 'scores.jsonl'));
      assert.deepEqual(await requireAll(path, manifest, scores), []);
      assert.equal(scores.size, (await readManifest(path)).pairCount);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
