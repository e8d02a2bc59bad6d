import { say } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VislaRow } from '../../../src/probe/visla/row';
import { comparisonHtml } from '../../../src/report/export/comparison';
import { measuredOf } from '../../../src/report/figures';
import { lineUpReports, pairUpReports } from '../../../src/report/lineUp';
import type { Report } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { holm } from '../../../src/stats/holm';
import { reportOf, sealOfText } from './reportOf';
import { saying } from '../../sentence';

function row(i: number, right: boolean): VislaRow {
  const edges = { p1p2: 1, p1n: 1, p2n: 1 };
  const t2t = { p1p2: 0.5, p1n: right ? 0.4 : 0.6, p2n: 0.3, right, tie: false };
  return {
    ...{ example: `${i}`, row: i, image: `${i}.jpg`, p1: 'a', p2: 'b', n: 'c', swapped: false },
    characters: edges,
    words: edges,
    t2t,
  };
}

describe('several reports in one table', () => {
  let folder: string;
  const reports: Report[] = [];
  const paths: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-lineup-'));
    // Reports with the first 10, the first 20 and all 40 rows right. The fourth report is about another file.
    for (const [i, right] of [10, 20, 40, 40].entries()) {
      const rows = `${i}.rows.jsonl`;
      const report = reportOf({
        rows,
        dataset: { ...reportOf().dataset, sha256: i === 3 ? 'other' : 'aa' },
        metrics: [
          { id: 'visla.t2t', value: right / 40, n: 40 },
          ...(i === 1 ? [{ id: 'visla.i2t', value: 0.5, n: 2 }] : []),
        ],
      });
      paths.push(join(folder, `${i}.report.json`));
      const lines = Array.from({ length: 40 }, (_, at) => JSON.stringify(row(at, at < right)));
      const text = `${lines.join('\n')}\n`;
      reports.push({ ...report, ...sealOfText(text) });
      await writeFile(join(folder, rows), text);
    }
  });
  after(() => rm(folder, { recursive: true }));

  it('give reports of one evaluator different names, by dataset and then by number', () => {
    const at = (path: string): Report => reportOf({ dataset: { ...reportOf().dataset, path } });
    const { name } = reportOf().evaluator;
    const namesOf = (...paths: string[]) => lineUpReports(paths.map(at)).names;
    assert.deepEqual(namesOf('/a/generic.tsv'), [name]);
    assert.deepEqual(namesOf('/a/generic.tsv', '/a/spatial.tsv'), [
      `${name}, generic.tsv`,
      `${name}, spatial.tsv`,
    ]);
    assert.deepEqual(namesOf('/a/x.tsv', '/b/x.tsv'), [`${name} (report 1)`, `${name} (report 2)`]);
    const lined = lineUpReports([at('/a/generic.tsv'), at('/a/spatial.tsv')]);
    const html = comparisonHtml([at('/a/generic.tsv'), at('/a/spatial.tsv')], lined, []);
    assert.match(html, /<td[^>]*>dataset<\/td><td[^>]*>generic\.tsv<\/td><td[^>]*>spatial\.tsv<\/td>/);
  });

  it('have a column each, empty if a report lacks the metric', () => {
    const { metrics, differences } = lineUpReports(reports);
    assert.deepEqual(
      metrics.map(({ name, values }) => [name, values.map((metric) => metric?.value)]),
      [
        ['visla.t2t', [0.25, 0.5, 1, 1]],
        ['visla.i2t', [undefined, 0.5, undefined, undefined]],
      ],
    );
    assert.deepEqual(differences, [say('report.differDatasets', 'triplets.tsv', 'triplets.tsv')]);
  });

  it('are tested in pairs if they are of one file, with adjusted p values', async () => {
    const all = await pairUpReports(
      reports,
      paths,
      reports.map(() => new LeftOutRows()),
    );
    const pairs = all.filter(({ metric }) => metric === 'visla.t2t');
    assert.deepEqual(
      pairs.map(({ first, second, difference, verdict }) => [first, second, difference, verdict]),
      [
        [0, 1, 0.25, 'second'],
        [0, 2, 0.75, 'second'],
        [1, 2, 0.5, 'second'],
      ],
    );
    // Computed by scipy.stats.ttest_1samp. Of the 40 differences, 10 are 1 in the first pair of reports, 30 in the
    // second and 20 in the third. The others are 0.
    const expected = [0.0008725735575987845, 2.6451983084775255e-13, 2.365994664619054e-7];
    for (const [i, { pValue }] of pairs.entries())
      assert.ok(Math.abs(pValue / expected[i] - 1) < 1e-9, `${pValue} is not ${expected[i]}`);
    // The p values are corrected over all pairs of reports and all metrics, not only visla.t2t.
    assert.ok(all.length > pairs.length);
    assert.deepEqual(
      all.map(({ adjusted }) => adjusted),
      [...holm(all.map(({ pValue }) => pValue))],
    );
    for (const { adjusted, verdict } of all) assert.equal(verdict !== 'undecided', adjusted < 0.05);
  });

  it('must have the same probe', () => {
    assert.throws(
      () => lineUpReports([reports[0], reportOf({ probe: 'lgip' })]),
      saying('report.probesDiffer', 'visla', 'lgip'),
    );
  });
});

describe('what the metrics of a report measure', () => {
  it('is stated if it is fewer than all examples', () => {
    const metrics = [
      { id: 'a', value: 1, n: 19 },
      { id: 'b', value: 1, n: 900, slice: { source: 'x' } },
    ];
    assert.deepEqual(measuredOf({ examples: 788 }, metrics), say('report.metricsCoverFew', 19));
    assert.equal(measuredOf({ examples: 19 }, metrics), '');
    assert.deepEqual(
      measuredOf({ examples: 5 }, [{ id: 'a', value: null, n: 0 }]),
      say('report.metricsCoverNothing'),
    );
    assert.equal(measuredOf({ examples: 5 }, []), '');
    assert.deepEqual(measuredOf({ examples: 900, measured: 7 }, metrics), say('report.examplesInMetrics', 7));
    assert.equal(measuredOf({ examples: 19, measured: 19 }, metrics), '');
  });
});
