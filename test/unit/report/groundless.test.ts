import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../../src/base/say';
import { atOnce } from '../../../src/base/turns/steps';
import { Random } from '../../../src/base/random';
import { frontier } from '../../../src/chart/kinds/tradeOff';
import { groundlessIn } from '../../../src/probe/ground';
import { viewFor } from '../../../src/probe/views';
import { worseThanBaseline } from '../../../src/report/baseline';
import { parseMargins, ranksOfReports } from '../../../src/report/decisions/decisions';
import { readRows } from '../../../src/report/rows';
import { axesOf, pointsOf, scatterCsv, shownOn } from '../../../src/report/scatter';
import { sharesByRow } from '../../../src/report/shares';
import type { Metric, Claim } from '../../../src/probe/metric';
import { pairUpReports, verdictWords } from '../../../src/report/lineUp';
import { readEntries } from '../../../src/report/paper/entry';
import { layoutsNamed } from '../../../src/report/paper/layouts/list';
import { isNumber, type PaperTable } from '../../../src/report/paper/table';
import { readReport } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { sentence } from '../../sentence';
import { reportOf, writeReport } from './reportOf';

const images = 200;

/** Searches that are right with the probability `found`, and of which an altered caption wins the share `rsms`. */
function searches(name: string, found: number, rsms: number): { metrics: Metric[]; rows: object[] } {
  const rows = Array.from({ length: images }, (_, i) => {
    const random = new Random(1, name, i, 'test');
    const [clean, misled] = [random.uniform() < found, random.uniform() < rsms].map(Number);
    return {
      ...{ kind: 'image', example: `${i}`, row: i, image: `${i}.jpg`, caption: 'a', score: 0, first: [] },
      clean: { r1: clean },
      lists: [{ source: 'file', stressed: { r1: clean * (1 - misled) }, rsms: misled, first: [] }],
    };
  });
  const rate = (id: string, of: (row: (typeof rows)[number]) => number): Metric => {
    const value = rows.reduce((sum, row) => sum + of(row), 0) / images;
    const half = 1.96 * Math.sqrt((Math.max(value, 0.01) * (1 - value)) / images);
    return {
      ...{ id, value, n: images, ci: [Math.max(0, value - half), value + half] },
      kind: 'danger',
    };
  };
  return {
    metrics: [
      rate('rococo.i2t.r1', (row) => row.clean.r1),
      rate('rococo.i2t.stressed.r1', (row) => row.lists[0].stressed.r1),
      rate('rococo.i2t.rsms', (row) => row.lists[0].rsms),
    ],
    rows,
  };
}

/** Captions whose score changes by about `error` for a paraphrase, and whose flips are caught with probability `caught`. */
function rewordings(name: string, error: number, caught: number): { metrics: Metric[]; rows: object[] } {
  const rows = Array.from({ length: images }, (_, i) => {
    const random = new Random(1, name, i, 'test');
    const variant = (family: string, delta: number) => ({
      ...{ text: family, family, rule: 'r', kind: family === 'flip' ? 'object' : 'template' },
      ...{ span: [0, 1], was: [0, 1], score: 0.5 + delta, delta, ...(family === 'flip' && { gap: -delta }) },
    });
    return {
      ...{ example: `${i}`, row: i, image: `${i}.jpg`, text: 'a', caption: 0, words: 5, score: 0.5 },
      ...{ outcome: 'perturbed', field: 'caption' },
      variants: [
        variant('paraphrase', error * (1 + random.uniform())),
        variant('flip', random.uniform() < caught ? -0.2 : 0.2),
      ],
    };
  });
  const near = (id: string, value: number, half: number): Metric => ({
    ...{ id, value, n: images, ci: [value - half, value + half] },
  });
  return {
    metrics: [near('lgip.inv', 1.5 * error, 0.1 * error), near('lgip.pr', caught, 0.07)],
    rows,
  };
}

describe('values of an evaluator at chance level', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-groundless-'));
  });
  after(() => rm(folder, { recursive: true }));

  const written = (
    probe: string,
    name: string,
    { metrics, rows, claims = [] }: { metrics: Metric[]; rows: object[]; claims?: Claim[] },
  ) => {
    const base = reportOf();
    const report = reportOf({
      ...{ probe, metrics, claims, rows: `${probe}.${name}.rows.jsonl` },
      evaluator: { ...base.evaluator, id: name, name, sha256: name, scale: { name: 'own', low: 0, high: 1 } },
    });
    return writeReport(folder, report, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };

  const table = async (layout: string, paths: string[]): Promise<PaperTable> => {
    const entries = await readEntries(paths);
    return layoutsNamed(layout, entries)[0].build(entries);
  };

  /** For each evaluator, the metrics with a bold value. */
  const bold = ({ rows }: PaperTable): string[][] =>
    rows.map(({ cells }) =>
      cells.filter(isNumber).flatMap(({ best, metric }) => (best === true ? [metric.id] : [])),
    );

  const verdict = async (paths: string[], metric: string) => {
    const reports = await Promise.all(paths.map(readReport));
    const pairs = await pairUpReports(
      reports,
      paths,
      reports.map(() => new LeftOutRows()),
    );
    return pairs.find((pair) => pair.metric === metric)!;
  };

  it('are not bold and do not win, although altered captions never come first', async () => {
    const paths = [
      await written('rococo', 'random', searches('random', 0.005, 0.01)),
      await written('rococo', 'real', searches('real', 0.6, 0.3)),
      await written('rococo', 'robust', searches('robust', 0.6, 0.05)),
    ];
    const found = await table('rococo.table3', paths);
    const [random, real, robust] = bold(found);
    assert.deepEqual(random, []);
    assert.ok(!real.includes('rococo.i2t.rsms'));
    assert.ok(robust.includes('rococo.i2t.rsms'));
    const notes = found.notes.filter((note) => note.includes('chance level') && note.includes('RSMS'));
    assert.equal(notes.length, 1);
    assert.match(notes[0], /of random \(/);
    const won = await verdict([paths[0], paths[1]], 'rococo.i2t.rsms');
    assert.ok(won.pValue < 1e-6);
    assert.deepEqual([won.verdict, won.groundless], ['undecided', [0]]);
    const fair = await verdict([paths[2], paths[1]], 'rococo.i2t.rsms');
    assert.deepEqual([fair.verdict, fair.groundless], ['first', undefined]);
    // Recall itself says that an evaluator finds nothing, so it is compared.
    assert.equal((await verdict([paths[0], paths[1]], 'rococo.i2t.r1')).verdict, 'second');
  });

  it('have no verdict either if an evaluator read too many texts only in part', async () => {
    const claims = [{ text: say('audit.tooManyTruncated', 85), rule: '' }];
    const paths = [
      await written('rococo', 'cut', { ...searches('cut', 0.6, 0.3), claims }),
      await written('rococo', 'whole', searches('whole', 0.6, 0.05)),
    ];
    const found = await verdict(paths, 'rococo.i2t.rsms');
    assert.ok(found.adjusted < 1e-6);
    assert.deepEqual([found.verdict, found.partlyRead], ['undecided', [0]]);
    assert.equal(verdictWords(found, ['cut', 'whole'], undefined), sentence('report.readInPart', 'cut'));
  });

  it('have no bold value at all if every evaluator is at chance level', async () => {
    const paths = [
      await written('rococo', 'first', searches('first', 0.005, 0.02)),
      await written('rococo', 'second', searches('second', 0.005, 0.4)),
    ];
    assert.ok(bold(await table('rococo.table3', paths)).every((ids) => !ids.includes('rococo.i2t.rsms')));
  });

  it('are not the most stable ones, although a score without information hardly changes', async () => {
    const paths = [
      await written('lgip', 'blind', rewordings('blind', 0.001, 0.5)),
      await written('lgip', 'seeing', rewordings('seeing', 0.05, 0.9)),
      await written('lgip', 'steady', rewordings('steady', 0.02, 0.9)),
    ];
    const [blind, seeing, steady] = bold(await table('lgip.table2', paths));
    assert.ok(!blind.includes('lgip.inv'), blind.join());
    assert.ok(!seeing.includes('lgip.inv'));
    assert.ok(steady.includes('lgip.inv'));
    assert.equal((await verdict([paths[0], paths[2]], 'lgip.inv')).verdict, 'undecided');
  });

  it('have no rank, and no chance of being the best', async () => {
    const paths = [
      await written('rococo', 'random', searches('random', 0.005, 0.01)),
      await written('rococo', 'real', searches('real', 0.6, 0.3)),
      await written('rococo', 'robust', searches('robust', 0.6, 0.05)),
    ];
    const reports = await Promise.all(paths.map(readReport));
    const shares = [];
    for (const [i, report] of reports.entries())
      shares.push(await sharesByRow('rococo', readRows(paths[i], report, new LeftOutRows())));
    const by = (metric: string) => groundlessIn(viewFor('rococo'), reports, metric);
    const ranked = atOnce(ranksOfReports('rococo', shares, { kind: 'raw' }, by));
    const of = (metric: string) => ranked.find((one) => one.metric === metric)!;
    const { ranks, groundless } = of('rococo.i2t.rsms');
    assert.deepEqual(groundless, [0]);
    assert.deepEqual(
      ranks?.map((one) => one?.rank ?? null),
      [null, 2, 1],
    );
    assert.equal(ranks![1]!.best + ranks![2]!.best, 1);
    assert.deepEqual(
      of('rococo.i2t.r1').ranks?.map((one) => typeof one?.rank),
      ['number', 'number', 'number'],
    );
    const one = atOnce(ranksOfReports('rococo', shares.slice(0, 2), { kind: 'raw' }, by));
    assert.equal(one.find(({ metric }) => metric === 'rococo.i2t.rsms')?.ranks, undefined);
  });

  it('are in no frontier of a scatter plot, and are named', async () => {
    const paths = [
      await written('lgip', 'blind', rewordings('blind', 0.001, 0.5)),
      await written('lgip', 'seeing', rewordings('seeing', 0.05, 0.9)),
    ];
    const files = await Promise.all(paths.map(async (path) => ({ path, report: await readReport(path) })));
    const axes = axesOf(files);
    const [x, y] = ['lgip.inv', 'lgip.pr'].map((id) => axes.find(({ metric }) => metric.startsWith(id))!);
    const points = pointsOf(files, x, y);
    assert.deepEqual(
      points.map(({ name, groundlessOn }) => [name, groundlessOn]),
      [
        ['blind', ['x']],
        ['seeing', undefined],
      ],
    );
    assert.deepEqual(
      frontier(points, { x: x.better, y: y.better }).map(({ name }) => name),
      ['seeing'],
    );
    assert.equal((shownOn('x', points[0]) as { code: string }).code, 'report.atChanceLevel');
    assert.equal(typeof shownOn('y', points[0]), 'string');
    assert.match(scatterCsv(x, y, points), /"?blind"?,.*lgip\.inv/);
  });

  it('judge no run, neither as its baseline nor as an improvement', async () => {
    const at = async (name: string, found: number, rsms: number) => {
      const path = await written('rococo', name, searches(name, found, rsms));
      return { path, report: await readReport(path) };
    };
    const [random, real] = [await at('random', 0.005, 0.01), await at('real', 0.6, 0.3)];
    const metric = 'rococo.i2t.rsms';
    const margins = parseMargins(`${metric}=0.5`);
    for (const rules of [{}, { margins }]) {
      const risen = await worseThanBaseline(random, real, rules);
      assert.ok(risen.worse.every((one) => one.metric !== metric));
      assert.deepEqual(
        risen.groundless.find((one) => one.metric === metric),
        { metric, baseline: true, run: false },
      );
      const fallen = await worseThanBaseline(real, random, rules);
      assert.deepEqual(
        fallen.groundless.find((one) => one.metric === metric),
        { metric, baseline: false, run: true },
      );
      assert.ok(fallen.worse.some((one) => one.metric === 'rococo.i2t.r1'));
    }
    assert.deepEqual((await worseThanBaseline(real, real)).groundless, []);
  });
});
