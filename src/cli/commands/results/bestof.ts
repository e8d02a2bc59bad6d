import { CaptiousError, inputError, usageError } from '../../../base/errors';
import { inTurns } from '../../../base/turns/steps';
import { pEquals } from '../../../base/pValue';
import type { Chart } from '../../../chart/chart';
import { draw } from '../../../chart/draw';
import { columns, svgFile } from '../../../chart/svg';
import { type BestOf, bestOfCurves, type PoolKind, poolsOf } from '../../../probe/exploit/bestOf';
import { exploitOptionsFrom } from '../../../probe/exploit/options';
import type { ExploitRow } from '../../../probe/exploit/row';
import { transferMetrics } from '../../../probe/exploit/transfer';
import { type Metric, metricOf } from '../../../probe/metric';
import { isDefinedSpread } from '../../../probe/spread';
import { drawn } from '../../../report/export/chartMarkup';
import { page } from '../../../report/export/page';
import { endsOf, figure } from '../../../report/figures';
import { writeWhole } from '../../../report/output';
import { readReport, type Report } from '../../../report/report';
import { LeftOutRows } from '../../../report/rowChecks';
import { readRows } from '../../../report/rows';
import { holm } from '../../../stats/holm';
import { type Command, text, wholeNumber } from '../../arguments';
import { log, logLeftOut, print, printJson, table } from '../../terminal';

type CurvesChart = Extract<Chart, { type: 'curves' }>;

/** The spread of each evaluator, if its report has it. */
type Spreads = readonly (number | undefined)[];

export const bestOfCommand: Command = {
  name: 'bestof',
  summary:
    'choose the best of n captions by one evaluator, and see what other evaluators say of it, and whether its exploits fool them',
  usage: ['bestof REPORT OTHER…'],
  operands: {
    REPORT: 'the exploit report of the evaluator that chooses',
    'OTHER…': 'exploit reports of other evaluators on the same dataset, with the same seed and options',
  },
  options: {
    most: { value: 'N', describe: 'the largest n (default 64)' },
    captions: {
      describe:
        "choose among captions of the dataset only: the image's own, and those of other images that the report scored",
    },
    html: { value: 'FILE', describe: 'write the curves with their bands as an HTML page' },
    svg: { value: 'FILE', describe: 'write the curves with their bands for a paper, two columns wide' },
    json: { describe: 'print the curves and tests as one JSON value' },
  },
  notes: [
    'The candidates of an image are the texts that all reports scored: its captions, captions of other images, edits and neutral texts. Expected values are computed exactly from all candidates, without sampling. Gains are over a random candidate, in spreads of the evaluator, with the 95 % interval over images.',
    'A fall of another evaluator is reported only if a test shows it, after correction over all n and all evaluators.',
  ],
  examples: ['bestof reports/exploit.starter.report.json reports/exploit.clipscore_starter.report.json'],

  async run({ positionals, values, signal }) {
    const [first, ...rest] = positionals;
    if (rest.length === 0)
      throw usageError('Two or more exploit reports are needed.', 'See: captious bestof --help');
    const reports = await Promise.all(positionals.map((path) => readReport(path)));
    for (const [i, report] of reports.entries()) check(report, reports[0], positionals[i]);
    const rows: ExploitRow[][] = [];
    for (const [i, path] of positionals.entries()) rows.push(await rowsAt(path, reports[i]));
    const kind: PoolKind = values.captions === true ? 'captions' : 'all';
    const pools = poolsOf(rows, kind);
    if (pools.length === 0)
      throw inputError(
        'The reports share no text of an image.',
        'Audit the same dataset with the same seed and options.',
        positionals.join(', '),
      );
    const curves = await inTurns(bestOfCurves(pools, wholeNumber(values, 'most', 2) ?? 64), signal);
    const transfer: Metric[][] = [];
    for (const other of rows.slice(1)) transfer.push(await inTurns(transferMetrics(rows[0], other), signal));
    const names = reports.map(({ evaluator }) => evaluator.name);
    const spreads = reports.map(({ spread }) => (isDefinedSpread(spread) ? spread.value : undefined));
    const chart = chartOf(curves, names, spreads);
    for (const [key, made] of [
      ['html', pageOf],
      ['svg', svgOf],
    ] as const) {
      const file = text(values, key);
      if (file === undefined) continue;
      await writeWhole(file, made(chart));
      log(`wrote ${file}`);
    }
    if (values.json === true)
      printJson({ report: first, evaluators: names, spreads, pool: kind, ...curves, transfer });
    else show(curves, transfer, names, spreads);
    return 0;
  },
};

/** The options that decide which texts an image has. */
const sharedOptions = ['families', 'controls', 'universal'] as const;

function check(report: Report, first: Report, path: string): void {
  if (report.probe !== 'exploit')
    throw inputError(
      `This is a report of the probe ${report.probe}.`,
      'Specify reports of the probe exploit.',
      path,
    );
  if (report.dataset.sha256 !== first.dataset.sha256)
    throw inputError('The reports are of different datasets.', 'Specify reports of one dataset.', path);
  if (report.seed !== first.seed)
    throw inputError(
      `The reports have different seeds: ${first.seed} and ${report.seed}.`,
      `Audit with --seed ${first.seed}, so that both reports have the same texts.`,
      path,
    );
  const [own, chosen] = [report, first].map(({ options }) => exploitOptionsFrom(options));
  for (const key of sharedOptions)
    if (String(own[key]) !== String(chosen[key]))
      throw inputError(
        `The reports have different options: ${key} is ${String(chosen[key])} in the first one, and ${String(own[key])} in this one.`,
        `Audit with --set exploit.${key}=${String(chosen[key])}.`,
        path,
      );
  if (report !== first && report.evaluator.id === first.evaluator.id)
    throw inputError(
      'This report is of the evaluator that chooses.',
      'Specify reports of other evaluators.',
      path,
    );
}

async function rowsAt(path: string, report: Report): Promise<ExploitRow[]> {
  const leftOut = new LeftOutRows();
  const rows: ExploitRow[] = [];
  // The row check of the probe has made sure of the form.
  for await (const row of readRows(path, report, leftOut)) rows.push(row as ExploitRow);
  logLeftOut(path, leftOut);
  return rows;
}

/** The gains against n on a logarithmic axis. */
function chartOf({ sizes, gains }: BestOf, names: readonly string[], spreads: Spreads): CurvesChart {
  const isInSpreads = spreads.every((spread) => spread !== undefined);
  return {
    type: 'curves',
    title: `Gain of the best of n captions, chosen by ${names[0]}`,
    axes: {
      x: 'n',
      y: isInSpreads ? 'gain in spreads of the evaluator' : 'gain in units of each score',
      ticks: sizes.map((n) => ({ x: Math.log2(n), name: String(n) })),
    },
    curves: gains.map((own, i) => ({
      name: names[i],
      points: own.flatMap(({ value, ci }, at) => {
        const unit = isInSpreads ? spreads[i]! : 1;
        if (value === null) return [];
        const ends = ci && ([ci[0] / unit, ci[1] / unit] as const);
        return [{ x: Math.log2(sizes[at]), y: value / unit, ...(ends === undefined ? {} : { ci: ends }) }];
      }),
    })),
  };
}

function pageOf(chart: CurvesChart): string {
  return page(chart.title, drawn([chart]));
}

function svgOf(chart: CurvesChart): string {
  const drawing = draw(chart, columns.double.units);
  if (drawing === undefined) throw new CaptiousError('input', 'There is no curve to draw.');
  return svgFile(drawing, columns.double);
}

function show(
  { sizes, images, leftOut, candidates, gains, overOptimised }: BestOf,
  transfer: readonly Metric[][],
  names: readonly string[],
  spreads: Spreads,
): void {
  const [fewest, largest] = candidates;
  print(
    `${images} images with ${fewest === largest ? fewest : `${fewest} to ${largest}`} candidates` +
      (leftOut === 0 ? '' : `; ${leftOut} with fewer than ${sizes.at(-1)} left out`) +
      `; ${names[0]} chooses\n`,
  );
  const cell = ({ value, ci }: Metric, spread = 1): string => {
    const ends = ci && ([ci[0] / spread, ci[1] / spread] as const);
    return value === null ? '' : `${figure(value / spread, ends)} ${endsOf(ends)}`.trim();
  };
  const unit = (i: number): string => (spreads[i] === undefined ? 'score' : 'spreads');
  print(
    table(
      ['n', ...names.map((name, i) => `${name} (${unit(i)})`)],
      sizes.map((n, at) => [String(n), ...gains.map((own, i) => cell(own[at], spreads[i]))]),
    ),
  );
  for (const { evaluator, from, to, change, adjusted, of } of overOptimised)
    print(
      `\n${names[evaluator]} falls from n = ${from} to n = ${to}, by ${figure(-change / (spreads[evaluator] ?? 1))} ` +
        `(${unit(evaluator)}, ${pEquals(adjusted)} after Holm's correction over ${of} tests), while ${names[0]} rises.`,
    );
  if (overOptimised.length === 0) print('\nNo fall of another evaluator is shown.');
  const p = transfer.map((own) => metricOf(own, 'exploit.transfer.overOthers.p')?.value ?? 1);
  const adjusted = holm(p);
  print(`\nEdits that raise ${names[0]}, and raise the other evaluator, too:\n`);
  print(
    table(
      ['evaluator', 'exploit.transfer', 'other edits', 'difference', 'adjusted p'],
      transfer.map((own, i) => [
        names[i + 1],
        ...['', '.others', '.overOthers'].map((part) => cell(metricOf(own, `exploit.transfer${part}`)!)),
        metricOf(own, 'exploit.transfer.overOthers.p')?.value === null ? '' : figure(adjusted[i]),
      ]),
    ),
  );
}
