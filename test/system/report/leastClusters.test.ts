import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { atOnce } from '../../../src/base/turns/steps';
import { isPValue } from '../../../src/base/pValue';
import { probeIds } from '../../../src/probe/list';
import { imagesOf, type Metric } from '../../../src/probe/metric';
import { readBoard, writeBoard } from '../../../src/report/board/board';
import { shownCell } from '../../../src/report/board/cells';
import { nonInferiority, ranksOfReports } from '../../../src/report/decisions/decisions';
import { pairUpReports } from '../../../src/report/lineUp';
import { writePaper } from '../../../src/report/paper/paper';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readRows } from '../../../src/report/rows';
import { axesOf, pointsOf } from '../../../src/report/scatter';
import { sharesByRow } from '../../../src/report/shares';
import { leastClusters, leastImages } from '../../../src/stats/decisions/smallSample';
import { fakeScorer } from '../../unit/report/fakeScorer';
import { audited, type Probe, saysTooFew } from '../../unit/report/patients';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

const keyOf = ({ id, slice }: Metric) => JSON.stringify([id, slice]);

/** Each unit of observations with the datasets that have so many of it. Few images have more than 20 captions. */
const units = {
  image: (count: number) => ({ images: count, copies: count < leastClusters ? 6 : 2 }),
  patient: (count: number) => ({ images: 2 * count, perPatient: 2, cluster: 'patient' }),
};

describe('the least number of clusters', function () {
  this.timeout(400_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-least-'))));
  after(() => rm(folder, { recursive: true }));

  const both = (probe: Probe, unit: keyof typeof units, count: number) =>
    audited(join(folder), probe, { ...units[unit](count), evaluators: ['one', 'two'] });

  /** The values of a paper's table, by the column names of its CSV. */
  async function table(of: readonly WrittenReport[], layout: string): Promise<Map<string, string>[]> {
    const reports = of.map(({ path }) => path);
    const out = join(folder, `paper of ${reports[0].replace(/\W+/g, ' ').slice(-80)} ${layout}`);
    const files = await writePaper({ reports, layout, spread: 'ci', out, to: 'csv' });
    const texts = await Promise.all(
      files.filter((file) => file.endsWith('.csv')).map((file) => readFile(file, 'utf8')),
    );
    return texts.flatMap((text) => {
      const [head, ...lines] = text
        .trim()
        .split('\n')
        .map((line) =>
          (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).map((cell) => cell.replace(/,$/, '')),
        );
      return lines.map((cells) => new Map(head.map((name, i) => [name, cells[i]])));
    });
  }

  async function comparedPairs(of: readonly WrittenReport[]) {
    const reports = of.map(({ report }) => report);
    const paths = of.map(({ path }) => path);
    return pairUpReports(
      reports,
      paths,
      reports.map(() => new LeftOutRows()),
    );
  }

  for (const probe of probeIds)
    for (const unit of ['image', 'patient'] as const)
      describe(`of ${probe}, if each is one ${unit},`, () => {
        for (const count of [leastClusters - 1, leastImages - 1])
          it(`holds everywhere for ${count}`, async () => {
            const written = await both(probe, unit, count);
            for (const { report } of written) {
              for (const metric of report.metrics) {
                if (imagesOf(metric) >= leastClusters && count >= leastClusters) continue;
                assert.equal(metric.ci, undefined, keyOf(metric));
                if (isPValue(metric.id)) assert.equal(metric.value, null, keyOf(metric));
              }
              for (const metric of report.metrics.filter(({ ci }) => ci !== undefined))
                assert.ok(imagesOf(metric) <= count, keyOf(metric));
              assert.deepEqual(
                report.claims.filter(({ text }) => !saysTooFew(text, report.dataset.cluster)),
                [],
              );
            }
            for (const pair of await comparedPairs(written)) {
              assert.ok(pair.images <= count, pair.metric);
              assert.equal(pair.tooFew, 'images', pair.metric);
              assert.equal(pair.ci, undefined, pair.metric);
              assert.equal(pair.verdict, 'undecided', pair.metric);
              assert.equal(nonInferiority(pair, 1e9).shown, false, pair.metric);
            }
            const shares = await Promise.all(
              written.map(({ path, report }) =>
                sharesByRow(probe, readRows(path, report, new LeftOutRows())),
              ),
            );
            for (const { metric, ranks } of atOnce(ranksOfReports(probe, shares)))
              assert.equal(ranks, undefined, metric);
            for (const { cells } of (await readBoard(join(written[0].path, '..'))).rows)
              for (const cell of cells)
                if ('metric' in cell) assert.equal(shownCell(cell).interval, '', keyOf(cell.metric));
            const folderOfReports = join(written[0].path, '..');
            for (const file of await writeBoard(folderOfReports, `${folderOfReports} board`, {
              to: ['mteb'],
            }))
              assert.doesNotMatch(await readFile(file, 'utf8'), /_ci95/);
            const axes = axesOf(written);
            for (const point of axes.flatMap((axis) => pointsOf(written, axis, axis)))
              assert.deepEqual([point.xci, point.yci], [undefined, undefined]);
            firm(await table(written, 'auto'), count);
          });
      });

  it('holds in the fairness card, whose words need outlined objects', async () => {
    const written = await runAudit({
      ...{ dataset: resolve('samples/captions.json'), images: [resolve('samples/images')], limit: 12 },
      ...{ probes: ['invariance'], evaluators: ['one', 'two'].map((id) => fakeScorer(id)) },
      ...{ home: join(folder, 'home'), out: join(folder, 'fairness'), signal: new AbortController().signal },
    });
    const cells = await table(written, 'invariance.fairness');
    assert.ok(cells.length > 0);
    firm(cells, 12);
  });

  /** No value of the table has an interval or a test. */
  function firm(cells: readonly Map<string, string>[], count: number): void {
    for (const cell of cells) {
      assert.ok(Number(cell.get('images')) <= count);
      assert.equal(cell.get('notDistinguishable'), '0');
      assert.deepEqual([cell.get('low'), cell.get('high')], ['', '']);
    }
  }
});
