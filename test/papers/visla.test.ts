import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../src/report/report';

const data = resolve('../shared/data/visla/Generic_VISLA.tsv');
const models = resolve('.cache/models');

/** Table 5 of the VISLA paper: T2T, P1-N and P2-N on the generic file, as fractions. */
const published: Record<string, [number, number, number]> = {
  'all-MiniLM-L6-v2': [0.5889, 0.9322, 0.6012],
  'gte-small': [0.6423, 0.9466, 0.6485],
};

describe('VISLA, Table 5, with the real models', function () {
  this.timeout(300_000);
  let home: string;
  before(async function () {
    if (!existsSync(data)) {
      console.log(`      skipped: ${data} is not there`);
      this.skip();
    }
    home = await mkdtemp(join(tmpdir(), 'captious-papers-'));
  });
  after(() => (home === undefined ? undefined : rm(home, { recursive: true })));

  function audit(model: string): { report: Report; seconds: number } {
    const started = performance.now();
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['dist/cli.js', 'audit', data, '--probe', 'visla', '--evaluator', join(models, model), '--json'],
      { encoding: 'utf8', env: { ...process.env, CAPTIOUS_HOME: home }, maxBuffer: 1 << 26 },
    );
    assert.equal(status, 0, stderr);
    const [report] = JSON.parse(stdout) as Report[];
    return { report, seconds: (performance.now() - started) / 1000 };
  }

  for (const [model, expected] of Object.entries(published)) {
    it(`${model}: ${expected.join(', ')}`, () => {
      const { report, seconds } = audit(model);
      assert.equal(report.dataset.examples, 973);
      assert.equal(report.dataset.skipped, 0);
      const found = ['visla.t2t', 'visla.t2t.p1n', 'visla.t2t.p2n'].map((id) => {
        const metric = report.metrics.find((candidate) => candidate.id === id && !candidate.slice);
        return Number(metric?.value?.toFixed(4));
      });
      assert.deepEqual(found, expected);
      for (const id of ['visla.t2t', 'visla.t2t.p1n', 'visla.t2t.p2n']) {
        const { value, ci } = report.metrics.find((candidate) => candidate.id === id && !candidate.slice)!;
        assert.ok(ci !== undefined && ci[0] < value! && value! < ci[1] && ci[1] - ci[0] < 0.08, id);
      }
      const again = audit(model);
      assert.deepEqual(again.report, report);
      console.log(`      first ${seconds.toFixed(2)} s, again from the store ${again.seconds.toFixed(2)} s`);
    });
  }
});
