/* The tables of the page about a benchmark. */
import { say, type Words } from '../../../base/say';
import type { Cell, Kind, Run } from '../../../chart/chart';
import { baselinesOf, bestBaseline } from '../../../probe/benchmark/best';
import { baselineNames } from '../../../probe/benchmark/blind/names';
import { type Fault, faultMetrics, faultNames, faultyMetric } from '../../../probe/benchmark/faultNames';
import type { BenchmarkRow } from '../../../probe/benchmark/row';
import { percent, percents } from '../../../probe/claim';
import { imagesOf, type Metric, type Row } from '../../../probe/metric';
import { wholeMetric } from '../../../probe/view';
import { shownPath, valueOf } from '../../figures';
import type { Report } from '../../report';
import type { Block } from './sections';

type Table = Omit<Kind<'table', Words>, 'type'>;

export interface Checked {
  report: Report;
  rows: () => AsyncIterable<Row>;
}

/** How many items of each fault and file the page shows. */
const examplesShown = 5;

const ceilings = [
  ['benchmark.orderBlind.ceiling', say('benchmark.orderBlindCeiling')],
  ['benchmark.imageBlind.ceiling', say('benchmark.imageBlindCeiling')],
] as const;

export function table(chart: Table): Block {
  return { is: 'charts', charts: [{ type: 'table', ...chart }] };
}

export const nameOf = ({ dataset }: Report): string => shownPath(dataset.path);

/** A share in percent with its interval. */
function shareCell(metric: Metric | undefined, isStrong = false): Cell<Words> {
  if (metric === undefined || metric.value === null) return '–';
  const value = percent(metric.value);
  return {
    runs: [
      isStrong ? { strong: value } : value,
      ...(metric.ci === undefined ? [] : [{ quiet: percents([metric.ci[0], metric.ci[1]]) }]),
    ],
  };
}

export function overview(reports: readonly Report[]): Table {
  const rows = reports.map(({ dataset, metrics, rowCount }): Cell<Words>[] => {
    const [order] = ceilings;
    const measured = wholeMetric(metrics, order[0]);
    return [
      shownPath(dataset.path),
      String(rowCount),
      measured === undefined ? '–' : String(imagesOf(measured)),
      ...ceilings.map(([id]) => shareCell(wholeMetric(metrics, id))),
      bestCell(metrics),
      shareCell(wholeMetric(metrics, 'benchmark.left')),
      countIn(metrics, faultyMetric),
    ];
  });
  const mean = (id: string): string => {
    const known = reports.flatMap(({ metrics }) => wholeMetric(metrics, id) ?? []);
    const n = known.reduce((sum, metric) => sum + metric.n, 0);
    return n === 0 ? '–' : percent(known.reduce((sum, { value, n: own }) => sum + (value ?? 0) * own, 0) / n);
  };
  if (reports.length > 1)
    rows.push([
      say('benchmark.allFiles'),
      String(reports.reduce((sum, { rowCount }) => sum + rowCount, 0)),
      '',
      ...ceilings.map(([id]) => mean(id)),
      '',
      mean('benchmark.left'),
      totalOf(reports, faultyMetric),
    ]);
  return {
    title: '',
    columns: [
      { title: say('benchmark.file') },
      ...[
        say('benchmark.items'),
        say('bench.images'),
        ...ceilings.map(([, title]) => title),
        say('benchmark.bestColumn'),
        say('benchmark.leftColumn'),
        say('benchmark.faulty'),
      ].map((title) => ({ title, number: true })),
    ],
    rows,
  };
}

function bestCell(metrics: readonly Metric[]): Cell<Words> {
  const best = bestBaseline(metrics);
  if (best !== undefined) {
    const { runs } = shareCell(best.metric) as { runs: Run<Words>[] };
    return { runs: [...runs, { quiet: baselineNames[best.name] }] };
  }
  const isTested = metrics.some(({ id }) => /^benchmark\.blind\..*\.p$/.test(id));
  return isTested ? say('benchmark.noneAbove') : say('benchmark.untested');
}

function countIn(metrics: readonly Metric[], id: string): string {
  const metric = wholeMetric(metrics, id);
  return metric === undefined ? '–' : valueOf(metric);
}

function totalOf(reports: readonly Report[], id: string): string {
  const values = reports.flatMap(({ metrics }) => wholeMetric(metrics, id)?.value ?? []);
  return values.length === 0 ? '–' : String(values.reduce((sum, value) => sum + value, 0));
}

/** The models without the image × files. Those that are better than chance are bold. */
export function blindTable(reports: readonly Report[]): Table {
  const own = reports.map(({ metrics }) => new Map(baselinesOf(metrics).map((one) => [one.name, one])));
  const names = (Object.keys(baselineNames) as (keyof typeof baselineNames)[]).filter((name) =>
    own.some((one) => one.has(name)),
  );
  const rows = names.map((name) => [
    baselineNames[name],
    ...own.map((one) => shareCell(one.get(name)?.metric, one.get(name)?.isAbove)),
  ]);
  return tableOfFiles(say('benchmark.blind'), reports, rows);
}

export function faultTable(reports: readonly Report[]): Table {
  const known = (Object.keys(faultMetrics) as Fault[]).filter((fault) =>
    reports.some(({ metrics }) => wholeMetric(metrics, faultMetrics[fault]) !== undefined),
  );
  const rows = known.map((fault) => [
    faultNames[fault],
    ...reports.map(({ metrics }) => countIn(metrics, faultMetrics[fault])),
  ]);
  return tableOfFiles(say('benchmark.fault'), reports, rows);
}

/** A table with a column for each file. */
function tableOfFiles(title: Words, reports: readonly Report[], rows: Table['rows']): Table {
  const files = reports.map((report) => ({ title: nameOf(report), number: true }));
  return { title: '', columns: [{ title }, ...files], rows };
}

/** The first items of each fault. */
export async function examplesOf(all: readonly Checked[]): Promise<Block[]> {
  const rows: Cell<Words>[][] = [];
  for (const { report, rows: rowsOf } of all) {
    const found = new Map<string, number>();
    for await (const row of rowsOf()) {
      const { faults = [], place, image, captions, right } = row as BenchmarkRow;
      for (const fault of faults) {
        const count = found.get(fault) ?? 0;
        found.set(fault, count + 1);
        if (count >= examplesShown) continue;
        rows.push([
          faultNames[fault as Fault] ?? fault,
          nameOf(report),
          String(place?.line ?? row.row + 1),
          shownPath(image ?? ''),
          captions[right],
          { lines: captions.filter((_, c) => c !== right) },
        ]);
      }
    }
  }
  if (rows.length === 0) return [];
  return [
    { is: 'text', words: say('benchmark.examplesNote', examplesShown) },
    table({
      title: '',
      columns: [
        { title: say('benchmark.fault') },
        { title: say('benchmark.file') },
        { title: say('export.lineColumn'), number: true },
        { title: say('invariance.image') },
        { title: say('dataset.caption') },
        { title: say('choice.wrongCaption') },
      ],
      rows,
    }),
  ];
}
