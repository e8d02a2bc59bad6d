import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { nearest } from '../../../src/base/text/nearest';
import type { Values } from '../../../src/cli/arguments';
import { compareCommand } from '../../../src/cli/commands/results/compare';
import { scatterCommand } from '../../../src/cli/commands/scatter';
import { report } from '../../../src/cli/reports';
import type { HumanRow } from '../../../src/probe/human/row';
import { readReport } from '../../../src/report/report';
import { reportOf, writeReport } from '../report/reportOf';

describe('an option that names an unknown metric', () => {
  let folder: string;
  const paths: string[] = [];
  const { signal } = new AbortController();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-metric-options-'));
    for (const e of [0, 1]) {
      const rows = Array.from({ length: 40 }, (_, i): HumanRow => {
        const rating = (i * 7) % 5;
        return {
          ...{ example: `${i}`, row: i, image: `${i}.jpg`, kind: 'rating', captions: ['a'] },
          ...{ ratings: [rating], scores: [[rating + 2 * Math.sin(11 * i + e)]], preferred: null },
        };
      });
      const made = reportOf({
        probe: 'human',
        rows: `human.${e}.rows.jsonl`,
        evaluator: { ...reportOf().evaluator, name: `m${e}`, id: `m${e}`, sha256: `${e}` },
        metrics: [{ id: 'human.tauB', value: 0.5, n: 40 }],
      });
      paths.push(await writeReport(folder, made, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`));
    }
  });
  after(() => rm(folder, { recursive: true }));

  const compare = (values: Values) => compareCommand.run({ positionals: paths, values, signal });
  const scatter = (values: Values) => scatterCommand.run({ positionals: paths, values, signal });
  const gate = async (values: Values) => {
    const written = { path: paths[1], report: await readReport(paths[1]) };
    return report(values, () => Promise.resolve([written]), signal);
  };
  const uses: Record<string, () => Promise<unknown>> = {
    'compare --margin': () => compare({ margin: 'human.tauA=0.1' }),
    'compare --margin, next to a known one': () => compare({ margin: 'human.tauB=0.1,human.tauA=0.1' }),
    'compare --json --margin': () => compare({ margin: 'human.tauA=0.1', json: true }),
    'compare --metric': () => compare({ metric: ['human.tauA'] }),
    'scatter --x': () => scatter({ x: 'human.tauA', y: 'human.tauB' }),
    'scatter --y': () => scatter({ x: 'human.tauB', y: 'human.tauA' }),
    '--baseline --margin': () => gate({ json: true, baseline: [paths[0]], margin: 'human.tauA=0.1' }),
    '--fail-on': () => gate({ json: true, 'fail-on': 'human.tauA < 0.1' }),
  };
  for (const [name, use] of Object.entries(uses))
    it(`${name} is a usage error with a suggestion`, async () => {
      const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = () => true;
      try {
        await assert.rejects(use(), (error: unknown) => {
          assert.ok(error instanceof CaptiousError);
          assert.equal(error.kind, 'usage');
          assert.match(error.remedy ?? '', /human\.tauB/);
          return true;
        });
      } finally {
        process.stdout.write = write;
      }
    });

  it('suggests the nearest name, and none if all are far away', () => {
    const known = ['human.tauB', 'human.spearman', 'visla.t2t'];
    assert.equal(nearest('human.taub', known), 'human.tauB');
    assert.equal(nearest('visla.t2i', known), 'visla.t2t');
    assert.equal(nearest('typo', known), undefined);
    assert.equal(nearest('x'.repeat(100_000), known), undefined);
  });
});
