import { CaptiousError } from '../../base/errors';
import { comparisonHtml } from '../../report/export/comparison';
import { figure, valueOf } from '../../report/figures';
import { pValueText } from '../../base/pValue';
import {
  type LinedUp,
  lineUpReports,
  type PairOfReports,
  pairUpReports,
  verdictWords,
} from '../../report/lineUp';
import { LeftOutRows } from '../../report/rowChecks';
import { writeWhole } from '../../report/output';
import { readReport } from '../../report/report';
import { type Command, text } from '../arguments';
import { log, logLeftOut, print, printJson, table } from '../terminal';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'compare two or more reports of one probe, metric by metric',
  usage: ['compare A B [C…]'],
  operands: { 'A, B, C…': 'reports of one probe; prints one table, and a paired test for every two reports' },
  options: {
    html: {
      value: 'FILE',
      describe: 'write the comparison as an HTML page; for LGIP, with a chart of invariance and sensitivity',
    },
    json: { describe: 'print the comparison as one JSON value' },
  },
  examples: ['compare reports/visla.starter.report.json reports/visla.clipscore_starter.report.json'],

  async run({ positionals, values }) {
    if (positionals.length < 2) {
      throw new CaptiousError('usage', `Expected two or more reports, got ${positionals.length}.`, {
        remedy: 'See: captious compare --help',
      });
    }
    const reports = await Promise.all(positionals.map(readReport));
    const lined = lineUpReports(reports);
    const leftOut = reports.map(() => new LeftOutRows());
    const pairs = await pairUpReports(reports, positionals, leftOut);
    for (const [i, rows] of leftOut.entries()) logLeftOut(positionals[i], rows);
    const file = text(values, 'html');
    if (file !== undefined) {
      await writeWhole(file, comparisonHtml(reports, lined, pairs));
      log(`wrote ${file}`);
    }
    const evaluators = reports.map(({ evaluator: { id, name, kind, dimension } }) => ({
      id,
      name,
      kind,
      dimension: dimension ?? null,
    }));
    if (values.json) {
      printJson({ ...lined, evaluators, pairs });
      return 0;
    }
    const letters = reports.map((_, i) => letterOf(i));
    print(`${lined.probe}:`);
    for (const [i, { kind, dimension }] of evaluators.entries())
      print(
        `  ${letters[i]} is ${lined.names[i]} (${kind}${dimension === null ? '' : `, ${dimension} dimensions`}) on ${lined.datasets[i]}`,
      );
    print(`\n${metricTable(lined, letters)}`);
    if (pairs.length > 0)
      print(
        `\nPairwise, row by row, over the shared examples; paired t-test with standard errors clustered by image, for correlations random signs; p adjusted by Holm over all lines:\n\n${pairTable(pairs, letters)}`,
      );
    for (const difference of lined.differences) print(`not the same in both reports: ${difference}`);
    return 0;
  },
};

/** For two reports, adds a column of differences. */
function metricTable({ metrics }: LinedUp, letters: readonly string[]): string {
  const two = letters.length === 2;
  const lines = metrics.map(({ name, values }) => {
    const [a, b] = values.map((metric) => metric?.value ?? null);
    const isP = values.some((metric) => metric?.id.endsWith('.p'));
    const difference = a === null || b === null || isP ? '–' : signed(b - a);
    return [
      name,
      ...values.map((metric) => (metric === undefined ? figure(null) : valueOf(metric))),
      ...(two ? [difference] : []),
    ];
  });
  return table(['metric', ...letters, ...(two ? ['B − A'] : [])], lines);
}

function pairTable(pairs: readonly PairOfReports[], letters: readonly string[]): string {
  const rows = pairs.map((pair) => [
    pair.metric,
    `${letters[pair.second]} − ${letters[pair.first]}`,
    String(pair.n),
    signed(pair.difference),
    pair.ci ? `[${pair.ci.map((end) => figure(end)).join(', ')}]` : '–',
    pair.tooFew === 'images' ? '–' : pValueText(pair.pValue),
    pair.tooFew === 'images' ? '–' : pValueText(pair.adjusted),
    pair.mcNemar ? `${pair.mcNemar.onlyFirst}:${pair.mcNemar.onlySecond}` : '',
    verdictWords(pair, letters),
  ]);
  return table(
    ['metric', '', 'n', 'difference', '95 % interval', 'p', 'adjusted', 'only one right', ''],
    rows,
  );
}

function signed(value: number): string {
  return (value > 0 ? '+' : '') + figure(value);
}

/** Letters for reports: A, B, …, Z, AA, AB, … */
function letterOf(i: number): string {
  const last = String.fromCharCode(65 + (i % 26));
  return i < 26 ? last : letterOf(Math.floor(i / 26) - 1) + last;
}
