import { join } from 'node:path';
import { CaptiousError, usageError } from '../../../base/errors';
import { isFolder } from '../../../base/files/isFile';
import { pValueText } from '../../../base/pValue';
import { trendCsv, trendForms, trendPage } from '../../../report/export/trend';
import { endsOf, figure } from '../../../report/figures';
import { parseGate } from '../../../report/gate';
import { writeWhole } from '../../../report/output';
import { readReport, type Report } from '../../../report/report';
import { failingSteps } from '../../../report/trend/drops';
import { readTrend } from '../../../report/trend/read';
import { stepOf, stepPattern, usualSteps } from '../../../report/trend/step';
import { inStepOrder, requireOneSeries, type Trend } from '../../../report/trend/trend';
import { type Call, type Command, repeated, requireOther, rowsBeside, text } from '../../arguments';
import { label, parseLabels } from '../../labels';
import { log, logLeftOut, print, printJson, printPiece, table } from '../../terminal';
import { reportNames } from '../../../report/board/chosen';

export const trendCommand: Command = {
  name: 'trend',
  summary: 'follow a metric over the checkpoints of a training run',
  usage: [
    'trend REPORT… [--metric M] [--step REGEXP]',
    'trend DIR [--probe P] [--series PATTERN] [--metric M]',
  ],
  operands: {
    REPORT: 'reports of one probe and one dataset, one for each checkpoint',
    DIR: 'a folder with such reports',
  },
  options: {
    metric: {
      value: 'M',
      describe: 'the metric (default: the first metric of the report that is a mean over rows)',
    },
    probe: { value: 'P', describe: 'with a folder: use only the reports of this probe' },
    series: {
      value: 'PATTERN',
      describe:
        'with a folder of an experiment: use only the checkpoints of this pattern, written as in the experiment file',
    },
    step: {
      value: 'REGEXP',
      describe:
        'a regular expression with one group, the step. It is looked for in the name, the id and the path of the evaluator (default: the number after step, checkpoint, ckpt, iter or epoch)',
    },
    label: { ...label, describe: `${label.describe}. The step is then read from this name` },
    'fail-on': {
      value: 'EXPR',
      describe:
        'exit with code 1 if EXPR is true for any step. <metric>.drop is how much worse the step is than the best step before it. Example: --fail-on "visla.t2t.drop > 0.01"',
    },
    to: { value: trendForms.join('|'), describe: 'write a page with a chart, or the table as CSV' },
    out: { value: 'FILE', describe: 'with --to: where to write (default: standard output)' },
    json: { describe: 'print the trend as one JSON value' },
  },
  notes: [
    'The bands hold for all steps together with 95 %. Each change is tested against the step before, on the same images. Change k has the share 1 / (k (k + 1)) of the level of 0.05, so you may look after each checkpoint: all looks together find a change where there is none with at most 5 %, and later steps alter no verdict. docs/experiment.md describes the tests.',
  ],
  examples: [
    'trend checkpoints --probe visla --metric visla.t2t',
    'trend checkpoints/visla.*.report.json --to html --out trend.html',
  ],

  run: async (call) => {
    const to = text(call.values, 'to');
    const out = text(call.values, 'out');
    const form = trendForms.find((one) => one === to);
    if (to !== undefined && form === undefined)
      throw new CaptiousError('usage', `--to ${to}: expected ${trendForms.join(' or ')}.`);
    if ((out !== undefined && form === undefined) || (call.values.json === true && form !== undefined))
      throw new CaptiousError(
        'usage',
        form === undefined ? '--out needs --to.' : '--json and --to cannot be combined.',
      );
    const gateText = text(call.values, 'fail-on');
    const gate = gateText === undefined ? undefined : parseGate(gateText);
    const { trend, reports, paths } = await trendIn(call);
    const [{ probe }] = reports;
    const failing = gate === undefined ? [] : failingSteps(gate, trend, reports);
    if (call.values.json) printJson({ probe, ...trend, ...(gate === undefined ? {} : { failing }) });
    else if (form === undefined) printTrend(probe, trend);
    else {
      const content = form === 'csv' ? trendCsv(trend) : trendPage(probe, trend);
      if (out === undefined) printPiece(content);
      else {
        requireOther(out, [...paths, ...paths.map(rowsBeside)]);
        await writeWhole(out, content);
        log(`wrote ${out}`);
      }
    }
    for (const step of failing) log(`step ${step}: ${gateText}`);
    return failing.length > 0 ? 1 : 0;
  },
};

async function trendIn({
  positionals,
  values,
  signal,
}: Call): Promise<{ trend: Trend; reports: Report[]; paths: string[] }> {
  const [folder] = positionals;
  const isInFolder = positionals.length === 1 && isFolder(folder);
  const files = isInFolder ? (await reportNames(folder)).map((name) => join(folder, name)) : positionals;
  const probe = text(values, 'probe');
  const read = await Promise.all(files.map(async (path) => ({ path, report: await readReport(path) })));
  const asked = read.filter(({ report }) => probe === undefined || report.probe === probe);
  const own = isInFolder ? inOneSeries(asked, text(values, 'series')) : asked;
  if (own.length < 2)
    throw usageError(
      `A trend needs at least two reports, but there are ${own.length}.`,
      'See: captious trend --help',
    );
  requireOneSeries(own.map(({ report }) => report));
  const labels = parseLabels(repeated(values, 'label'), own.length);
  const given = text(values, 'step');
  const pattern = given === undefined ? usualSteps : stepPattern(given);
  const series = inStepOrder(
    own.map(({ path, report }, i) => {
      const { name, id, path: weights } = report.evaluator;
      const label = labels.get(i);
      // What the user says comes first, then what the experiment file said.
      const own = label === undefined && given === undefined ? report.checkpoint?.step : undefined;
      return { path, report, step: own ?? stepOf([label, name, id, weights], pattern) };
    }),
  );
  const reports = series.map(({ report }) => report);
  const metric = text(values, 'metric');
  const trend = await readTrend(series, { metric, signal, onLeftOut: logLeftOut });
  return { trend, reports, paths: series.map(({ path }) => path) };
}

/** The checkpoints of one pattern, if a pattern of an experiment file named any. */
function inOneSeries<T extends { report: Report }>(read: readonly T[], asked: string | undefined): T[] {
  const patternOf = ({ report }: T): string | undefined => report.checkpoint?.pattern;
  const patterns = [...new Set(read.map(patternOf))].filter((pattern) => pattern !== undefined);
  if (asked !== undefined) return read.filter((one) => patternOf(one) === asked);
  if (patterns.length > 1)
    throw usageError(
      `The folder has checkpoints of ${patterns.length} patterns.`,
      `Choose one with --series: ${patterns.join(', ')}`,
    );
  return patterns.length === 0 ? [...read] : read.filter((one) => patternOf(one) !== undefined);
}

function printTrend(probe: string, trend: Trend): void {
  const { metric, better, n, images, best, steps } = trend;
  print(`${probe}: ${metric}, ${better} is better, ${n} rows of ${images} images\n`);
  const lines = steps.map(({ step, value, band, change, inBest, groundless }) => [
    String(step),
    figure(value, band),
    endsOf(band),
    change === undefined ? '' : (change.difference > 0 ? '+' : '') + figure(change.difference, change.ci),
    change === undefined ? '' : pValueText(change.adjusted),
    change === undefined || change.verdict === 'undecided'
      ? ''
      : `${change.verdict} (p ${pValueText(change.adjusted)})`,
    groundless ? 'at chance level' : step === best ? 'best' : inBest ? 'not apart from the best' : '',
  ]);
  print(table(['step', 'value', '95 % band', 'change', 'adjusted p', '', ''], lines));
  const set = steps.filter(({ inBest }) => inBest === true).map(({ step }) => step);
  if (best === undefined) print('\nAll steps are at chance level, so there is no best step.');
  else if (set.length === 0)
    print(`\nBest step: ${best}. Too few images to say which steps are apart from it.`);
  else print(`\nBest step: ${best}. Steps that cannot be told from the best: ${set.join(', ')}.`);
}
