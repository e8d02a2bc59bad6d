import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../src/audit/run';
import { needs, python, root } from './support';

const data = resolve(root, '../shared/data/visla/Generic_VISLA.tsv');
const model = join(root, '.cache/models/all-MiniLM-L6-v2');

describe('VISLA, Table 5, through PyTorch', function () {
  needs(this, python, data, model);
  this.timeout(1_800_000);

  it('all-MiniLM-L6-v2: 0.5889, 0.9322, 0.6012', async () => {
    const home = mkdtempSync(join(tmpdir(), 'captious-python-'));
    try {
      const [{ report }] = await runAudit({
        dataset: data,
        probes: ['visla'],
        evaluators: [`python:${join(__dirname, 'minilm.py')}?folder=${model}`],
        home,
        out: join(home, 'out'),
        python: { asked: python },
        signal: new AbortController().signal,
      });
      const found = ['visla.t2t', 'visla.t2t.p1n', 'visla.t2t.p2n'].map((id) =>
        Number(report.metrics.find((metric) => metric.id === id && !metric.slice)?.value?.toFixed(4)),
      );
      assert.equal(report.dataset.examples, 973);
      assert.deepEqual(found, [0.5889, 0.9322, 0.6012]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
