import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distinctPaths } from '../../../src/base/text/distinctPaths';
import { letterOf, parseLabels } from '../../../src/cli/labels';
import type { HumanRow } from '../../../src/probe/human/row';
import { lineUpReports, type PairOfReports, pairUpReports } from '../../../src/report/lineUp';
import { readEntries } from '../../../src/report/paper/entry';
import { readReport, type Report } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { reportOf, writeReport } from './reportOf';
import { saying } from '../../sentence';

describe('families of tests, and names of reports', () => {
  let folder: string;
  const paths: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-families-'));
    for (const [e, noise] of [0.4, 1].entries()) {
      const rows = Array.from({ length: 40 }, (_, i): HumanRow => {
        const rating = (i * 7) % 5;
        const score = rating + 5 * noise * Math.sin(11 * i + e);
        return {
          ...{ example: `${i}`, row: i, image: `${i}.jpg`, kind: 'rating', captions: ['a'] },
          ...{ ratings: [rating], scores: [[score]], preferred: null },
        };
      });
      const report = reportOf({
        probe: 'human',
        rows: `human.${e}.rows.jsonl`,
        evaluator: {
          ...reportOf().evaluator,
          name: 'clip',
          id: 'clip',
          sha256: `${e}`,
          path: `/m/run${e}/clip`,
        },
      });
      paths.push(await writeReport(folder, report, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`));
    }
  });
  after(() => rm(folder, { recursive: true }));

  async function pairs(primary: string[] = []): Promise<PairOfReports[]> {
    const reports: Report[] = await Promise.all(paths.map(readReport));
    return pairUpReports(
      reports,
      paths,
      reports.map(() => new LeftOutRows()),
      { primary },
    );
  }

  it('do not adjust τ-b for the other coefficients of the same agreement', async () => {
    const found = await pairs();
    const tau = found.find(({ metric }) => metric === 'human.tauB')!;
    assert.ok(found.length > 2);
    assert.equal(tau.adjusted, tau.pValue);
    assert.equal(tau.family, 'rank correlation τ-b');
  });

  it('have the primary outcomes of the user as a family of their own', async () => {
    const found = await pairs(['human.spearman']);
    const primary = found.filter(({ family }) => family === 'primary outcome');
    assert.deepEqual(
      primary.map(({ metric }) => metric),
      ['human.spearman'],
    );
    assert.equal(primary[0].adjusted, primary[0].pValue);
    await assert.rejects(
      pairs(['human.nothing']),
      saying('report.pairedTestMissing', 'metric', 'human.nothing'),
    );
  });

  it('name models of one folder name by the shortest different path, or by labels', async () => {
    const reports = await Promise.all(paths.map(readReport));
    assert.deepEqual(lineUpReports(reports).names, ['run0/clip', 'run1/clip']);
    const labels = parseLabels(['B=Ours'], 2);
    assert.deepEqual(lineUpReports(reports, { labels }).names, ['clip', 'Ours']);
    assert.deepEqual(
      (await readEntries(paths)).map(({ evaluator }) => evaluator),
      ['run0/clip', 'run1/clip'],
    );
    const named = await readEntries(paths, undefined, labels);
    assert.deepEqual(
      named.map(({ evaluator }) => evaluator),
      ['clip', 'Ours'],
    );
    assert.throws(() => parseLabels(['C=Ours'], 2), /from A to B and a name/);
    assert.deepEqual([0, 25, 26].map(letterOf), ['A', 'Z', 'AA']);
    assert.deepEqual(distinctPaths(['/a/x/c', '/b/x/c', undefined]), ['a/x/c', 'b/x/c', undefined]);
  });
});
