import { translated } from '../../../src/report/export/chartMarkup';
import { inEnglish } from '../../../src/report/export/speech';
import { findSaid, say } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { probeNamed } from '../../../src/probe/list';
import { CaptiousError } from '../../../src/base/errors';
import { parseMargins } from '../../../src/report/decisions/decisions';
import { worseThanBaseline } from '../../../src/report/baseline';
import { readBoard } from '../../../src/report/board/board';
import { lineUpReports, type PairOfReports } from '../../../src/report/lineUp';
import { writePaper } from '../../../src/report/paper/paper';
import type { Report } from '../../../src/report/report';
import { markedBySpread } from '../../../src/probe/spread';
import { viewFor } from '../../../src/probe/views';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readRows } from '../../../src/report/rows';
import { basisOf, comparableMetrics } from '../../../src/report/scale';
import { axesOf, pointsOf } from '../../../src/report/scatter';
import { saying, sentence } from '../../sentence';
import { fakeScorer } from '../../unit/report/fakeScorer';
import { isSame, maps, near, paired } from '../../unit/report/unitsOfScores';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

const things = ['bus', 'dog', 'cat', 'car', 'boat', 'horse', 'chair', 'bird'];
const colours = ['red', 'blue', 'green', 'black', 'white'];

describe('evaluators with different units', function () {
  this.timeout(120_000);
  let folder: string;
  const found = new Map<string, WrittenReport>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-scale-'));
    const captions = Array.from({ length: 40 }, (_, i) => ({
      image: `${i}.jpg`,
      caption: `Two ${colours[i % 5]} ${things[i % 8]}s stand next to a man and a ${things[(i + 3) % 8]}.`,
    }));
    const rated = Array.from({ length: 60 }, (_, i) => ({
      image: `${i % 30}.jpg`,
      caption: `A ${colours[i % 5]} ${things[i % 8]} number ${i}.`,
      rating: i % 7,
    }));
    await writeFile(join(folder, 'captions.json'), JSON.stringify(captions));
    await writeFile(join(folder, 'rated.json'), JSON.stringify(rated));
    const evaluators = () => [
      ...Object.entries(maps).map(([id, map]) => fakeScorer(id, { seed: 'one', map })),
      fakeScorer('other', { noise: 1.2 }),
      fakeScorer('constant', { map: () => 0.5 }),
    ];
    for (const [file, probes] of [
      ['captions.json', ['lgip', 'invariance']],
      ['rated.json', ['human']],
    ] as const)
      for (const written of await runAudit({
        ...{ dataset: join(folder, file), probes: [...probes], evaluators: evaluators(), images: [folder] },
        options: { invariance: { captions: 'dataset' } },
        ...{ home: join(folder, 'home'), out: join(folder, 'out'), signal: new AbortController().signal },
      }))
        found.set(`${written.report.probe} ${written.report.evaluator.id}`, written);
  });
  after(() => rm(folder, { recursive: true }));

  it('that give every pair the same score get no other verdict', () => {
    for (const probe of ['lgip', 'invariance']) {
      const [claim, ...others] = found.get(`${probe} constant`)!.report.claims!;
      assert.deepEqual(claim.text, say('probe.constantScores'));
      assert.deepEqual(others, []);
      for (const { text } of found.get(`${probe} plain`)!.report.claims!)
        assert.equal(findSaid(text, 'probe.constantScores'), undefined);
    }
  });

  async function compared(
    probe: string,
    id: string,
    other = 'other',
    without = false,
  ): Promise<PairOfReports[]> {
    const both = [id, other].map((name) => found.get(`${probe} ${name}`)!);
    return paired(without ? both.map((one) => ({ ...one, report: old(one.report) })) : both);
  }

  /** The report as earlier versions wrote it. */
  function old(report: Report): Report {
    const metrics = report.metrics.filter(({ id }) => !id.endsWith('.relative'));
    return { ...report, spread: undefined, metrics };
  }

  for (const probe of ['lgip', 'invariance', 'human'])
    for (const id of ['times', 'plus', 'small'])
      it(`${probe}: the linear map "${id}" changes no comparison`, async () => {
        const [plain, mapped] = [await compared(probe, 'plain'), await compared(probe, id)];
        isSame(mapped, plain);
      });

  /** Numbers with their names, of what shows two evaluators side by side. */
  type Shown = [name: string, value: number][];

  const sideBySide: Record<string, (both: readonly WrittenReport[]) => Shown | Promise<Shown>> = {
    scatter: (both) =>
      axesOf(both).flatMap((axis) =>
        pointsOf(both, axis, axis).flatMap(({ x, xci = [] }, i): Shown =>
          [x, ...xci].map((value) => [`${axis.metric} ${i}`, value]),
        ),
      ),
    board: async (both) => {
      const own = await mkdtemp(join(folder, 'board-'));
      for (const { path } of both) await cp(path, join(own, basename(path)));
      const { columns, rows } = await readBoard(own);
      const order = rows.sort((a, b) => Number(a.evaluator === 'other') - Number(b.evaluator === 'other'));
      return order.flatMap(({ cells }, i) =>
        cells.flatMap((cell, c): Shown =>
          'metric' in cell ? [[`${columns[c].metric} ${i}`, cell.metric.value]] : [],
        ),
      );
    },
    lenses: async (both) => {
      const all = await Promise.all(
        both.map(async ({ path, report }, i) => {
          const view = markedBySpread(viewFor(report.probe).rows, report.spread);
          const marks: Shown = [];
          for await (const row of readRows(path, report, new LeftOutRows())) {
            const { hint = '', unstable = false } = view.mark(row);
            // A rounded digit may differ by the last bit of the score.
            marks.push([`${i} ${row.example} ${unstable} ${hint.replace(/[\d.]+ SD/, 'SD')}`, 0]);
          }
          return marks;
        }),
      );
      return all.flat();
    },
    charts: ([first, second]) => {
      const reports = [first.report, second.report];
      const { probe } = first.report;
      const charted = reports.map(({ metrics, evaluator }, i) => ({
        metrics: comparableMetrics(probe, metrics, basisOf(reports)),
        evaluator: { ...evaluator, name: String(i) },
      }));
      return probeNamed(probe).comparisonCharts!(charted).flatMap((own): Shown => {
        const chart = translated(own, inEnglish);
        if (chart.type === 'bars')
          return chart.bars.map(({ name, value }) => [`${chart.title} ${name}`, value]);
        if (chart.type === 'curves')
          return chart.curves.flatMap(({ name, points }) =>
            points.map(({ x, y }): Shown[number] => [`${chart.title} ${name} ${x}`, y]),
          );
        if (chart.type !== 'tradeOff') return [];
        return chart.points.flatMap(({ name, x, y }): Shown => [
          [`x ${name}`, x],
          [`y ${name}`, y],
        ]);
      });
    },
  };

  for (const [where, shownBy] of Object.entries(sideBySide))
    for (const probe of ['lgip', 'invariance'])
      for (const id of ['times', 'plus', 'small'])
        it(`${where}, ${probe}: the linear map "${id}" changes nothing`, async () => {
          const of = (name: string) => shownBy(['other', name].map((one) => found.get(`${probe} ${one}`)!));
          const [plain, mapped] = [await of('plain'), await of(id)];
          assert.ok(plain.length > 0);
          assert.deepEqual(
            mapped.map(([name]) => name),
            plain.map(([name]) => name),
          );
          for (const [i, [name, value]] of mapped.entries()) near(value, plain[i][1], name);
        });

  it('swap risks name their gap in spreads, and are not compared', () => {
    const gapIn = (id: string): number => {
      const { claims = [], metrics } = found.get(`invariance ${id}`)!.report;
      const said = claims.flatMap(({ text }) => findSaid(text, 'invariance.gapInSpreads') ?? []);
      const value = metrics.find((one) => one.id === 'invariance.rangeGap.relative')!.value!;
      assert.deepEqual(
        said.map(({ values }) => Number(values[0])),
        [Number(value.toPrecision(2))],
        'one sentence',
      );
      return value;
    };
    // Scores without bounds have one gap for all evaluators.
    near(gapIn('times'), gapIn('plain') / 2.5, 'the gap in spreads');
    for (const id of ['times', 'other']) {
      const both = ['plain', id].map((one) => found.get(`invariance ${one}`)!.report);
      assert.ok(both[0].metrics.some((one) => /rrf@/.test(one.id)));
      for (const scale of [{ name: 'own' }, { name: 'own', low: 0, high: 1 }, { name: 'cosine' }] as const) {
        const scaled = { ...both[1], evaluator: { ...both[1].evaluator, scale } };
        const compared = comparableMetrics('invariance', both[0].metrics, basisOf([both[0], scaled]));
        assert.ok(compared.length > 0);
        assert.deepEqual(
          compared.filter((one) => /rrf@|rangeGap/.test(one.id)),
          [],
        );
      }
    }
  });

  it('the charts of changes are there, in spreads', () => {
    const both = ['plain', 'times'].map((id) => found.get(`invariance ${id}`)!);
    const shown = sideBySide.charts(both) as Shown;
    const title = sentence('invariance.flipsChart');
    for (const what of [sentence('invariance.upsideDown'), sentence('invariance.mirrored')])
      assert.equal(shown.filter(([name]) => name.includes(what) && name.includes(title)).length, 2);
  });

  it('a curved monotone map changes no comparison of ranks and rates', async () => {
    const isRate = ({ metric }: PairOfReports): boolean => /^(lgip\.pr|human\.(tau|spearman))/.test(metric);
    for (const probe of ['lgip', 'human']) {
      const [plain, mapped] = [await compared(probe, 'plain'), await compared(probe, 'curved')];
      const shown = (pairs: PairOfReports[]) =>
        pairs.filter(isRate).map(({ metric, difference, pValue }) => [metric, difference, pValue]);
      assert.ok(shown(plain).length > 0);
      assert.deepEqual(shown(mapped), shown(plain));
    }
  });

  it('an evaluator does not win or lose against itself in other units', async () => {
    for (const probe of ['lgip', 'invariance'])
      for (const pair of await compared(probe, 'times', 'plain')) {
        assert.equal(pair.verdict, 'undecided', pair.metric);
        near(pair.difference, 0, pair.metric);
      }
  });

  it('have differences in spreads, and none in units of the score', () => {
    const reports = ['plain', 'other'].map((id) => found.get(`lgip ${id}`)!.report);
    const own = (id: string) =>
      lineUpReports(reports).metrics.find(({ values }) => values[0]?.id === id)?.ownUnits;
    assert.deepEqual(['lgip.inv', 'lgip.inv.relative', 'lgip.pr'].map(own), [true, undefined, undefined]);
  });

  it('are not compared in units of the score if a report has no spread, but rates are', async () => {
    const metrics = (await compared('lgip', 'times', 'other', true)).map(({ metric }) => metric);
    assert.ok(metrics.includes('lgip.pr'));
    assert.ok(!metrics.some((metric) => /inv|sens/.test(metric)), metrics.join());
    const reports = ['times', 'other'].map((id) => found.get(`lgip ${id}`)!.report);
    assert.equal(lineUpReports(reports).notCompared, undefined);
    const why = [sentence('report.spreadMissing', 'times, other'), sentence('report.auditForSpread')];
    const { notCompared } = lineUpReports(reports.map(old));
    assert.match(notCompared!, saying('report.notCompared', undefined, ...why));
    assert.match(notCompared!, /\blgip\.inv, /);
  });

  it('a gate against another evaluator without a spread does not pass silently', async () => {
    const [before, after] = ['plain', 'other'].map((id) => found.get(`lgip ${id}`)!);
    await worseThanBaseline(before, after);
    await assert.rejects(
      worseThanBaseline({ ...before, report: old(before.report) }, after),
      saying('report.spreadMissing', 'plain'),
    );
  });

  it('have margins in spreads, and a margin in units of the score is rejected', async () => {
    const [before, after] = ['plain', 'times'].map((id) => found.get(`lgip ${id}`)!);
    const of = (given: string) => worseThanBaseline(before, after, { margins: parseMargins(given) });
    const { worse } = await of('lgip.inv.relative=0.01');
    assert.ok(worse.every(({ metric }) => metric !== 'lgip.inv.relative'));
    await assert.rejects(of('lgip.inv=0.01'), CaptiousError);
  });

  it('have a column in spreads in the tables of a paper, and only this column is bold', async () => {
    // These scorers catch no more flips than chance. If they did, their errors would say something.
    const reports = await Promise.all(
      ['plain', 'times', 'other'].map(async (id) => {
        const { path, report } = found.get(`lgip ${id}`)!;
        const metrics = report.metrics.map((one) =>
          one.id === 'lgip.pr' ? { ...one, value: 0.8, ci: [0.7, 0.9] } : one,
        );
        const able = path.replace(/report\.json$/, 'able.report.json');
        await writeFile(able, JSON.stringify({ ...report, metrics }));
        return able;
      }),
    );
    const request = { reports, layout: 'lgip.table2', out: join(folder, 'paper'), spread: 'none' as const };
    const [path] = await writePaper({ ...request, to: 'csv' });
    const lines = (await readFile(path, 'utf8'))
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(','));
    const best = (metric: string) =>
      lines.filter((line) => line[5] === metric && line[11] === '1').map((line) => line[3]);
    assert.deepEqual(best('lgip.inv'), []);
    assert.deepEqual(best('lgip.sens'), []);
    assert.deepEqual(best('lgip.inv.relative'), ['plain', 'times']);
  });
});
