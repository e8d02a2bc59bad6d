import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../src/audit/run';
import { coco, needs, python, root } from './support';

interface Expected {
  sugarcrepe: Record<string, number> | null;
  retrieval: Record<string, number>;
}

const sugarcrepe = resolve(root, '../shared/data/sugar-crepe');
/** A clone of github.com/RAIVNLab/sugar-crepe, which no package registry has. */
const checkout = process.env.CAPTIOUS_SUGARCREPE;

describe('published evaluations of the same checkpoint', function () {
  needs(this, python, join(coco, 'captions.json'), sugarcrepe);
  this.timeout(1_800_000);
  let folder: string;
  let expected: Expected;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-peers-'));
    const args = [join(__dirname, 'peers.py'), folder, coco, sugarcrepe];
    const made = spawnSync(python!, checkout === undefined ? args : [...args, checkout], {
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  async function metricsOf(dataset: string, probe: string): Promise<(id: string) => number | null> {
    const [{ report }] = await runAudit({
      dataset,
      probes: [probe],
      evaluators: [`open_clip:${join(folder, 'model')}`],
      images: [join(coco, 'images')],
      home: join(folder, 'home'),
      out: join(folder, 'out'),
      python: { asked: python },
      signal: new AbortController().signal,
    });
    return (id) => report.metrics.find((metric) => metric.id === id && !metric.slice)?.value ?? null;
  }

  it("SugarCrepe's main_eval.py: has the same accuracy on each file", async function () {
    if (expected.sugarcrepe === null) {
      console.log('      skipped: CAPTIOUS_SUGARCREPE names no clone of github.com/RAIVNLab/sugar-crepe');
      this.skip();
    }
    for (const [name, accuracy] of Object.entries(expected.sugarcrepe)) {
      const metric = await metricsOf(join(folder, `${name}.json`), 'sugarcrepe');
      console.log(`      ${name}: ${accuracy}`);
      assert.equal(metric(`sugarcrepe.${name}`), accuracy);
    }
  });

  it("CLIP_benchmark's retrieval: has the same recall at 1, 5 and 10 both ways", async () => {
    const metric = await metricsOf(join(coco, 'captions.json'), 'rococo');
    for (const k of [1, 5, 10])
      for (const [ours, theirs] of [
        [`rococo.t2i.r${k}`, `image_retrieval_recall@${k}`],
        [`rococo.i2t.r${k}`, `text_retrieval_recall@${k}`],
      ]) {
        console.log(`      ${theirs}: ${expected.retrieval[theirs].toFixed(6)}`);
        // CLIP_benchmark computes the mean in float32.
        assert.ok(
          Math.abs((metric(ours) ?? NaN) - expected.retrieval[theirs]) < 1e-6,
          `${ours}: ${metric(ours)}`,
        );
      }
  });
});
