import { CaptiousError } from '../base/errors';
import { compareReports } from '../report/compare';
import { lineUpReports, pairUpReports } from '../report/lineUp';
import { figure } from '../report/figures';
import { type PairedDifference, pairedDifferences } from '../report/paired';
import { type Report, readReport } from '../report/report';
import { readRows, rowsPath } from '../report/rows';
import { writeWhole } from '../report/output';
import { comparisonHtml } from '../report/export/comparison';
import { type Command, text } from './arguments';
import { log, print, printJson, table } from './terminal';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'line up two or more reports of one probe, metric by metric',
  help: `captious compare A B [C…]

  A, B, C…          report files of the same probe; more than two make one table of all,
                    and every two are tested against each other
  --html FILE       write the comparison as a page of its own, with LGIP's trade-off
  --json            print the comparison as one JSON value

Example:
  captious compare reports/visla.starter.report.json reports/visla.gte-small.report.json`,
  options: { html: { type: 'string' } },

  async run({ positionals, values }) {
    if (positionals.length < 2) {
      throw new CaptiousError('usage', `Two reports or more are compared, not ${positionals.length}.`, {
        remedy: 'See: captious compare --help',
      });
    }
    const reports = await Promise.all(positionals.map(readReport));
    const file = text(values, 'html');
    if (file !== undefined) {
      const pairs = await pairUpReports(reports, positionals);
      await writeWhole(file, comparisonHtml(reports, lineUpReports(reports), pairs));
      log(`${file} written`);
    }
    if (reports.length > 2) {
      await compareMany(reports, positionals, values.json === true);
      return 0;
    }
    const [a, b] = reports;
    const comparison = compareReports(a, b);
    const rows = (report: typeof a, path: string) => readRows(rowsPath(path, report));
    const paired =
      a.dataset.sha256 === b.dataset.sha256
        ? await pairedDifferences(a.probe, rows(a, positionals[0]), rows(b, positionals[1]))
        : [];
    if (values.json) {
      printJson({ ...comparison, paired });
      return 0;
    }
    print(`${comparison.probe}: A is ${a.evaluator.name}, B is ${b.evaluator.name}\n`);
    const lines = comparison.metrics.map((metric) => [
      metric.name,
      figure(metric.a?.value ?? null),
      figure(metric.b?.value ?? null),
      metric.difference === null ? '–' : (metric.difference > 0 ? '+' : '') + figure(metric.difference),
    ]);
    print(table(['metric', 'A', 'B', 'B − A'], lines));
    if (paired.length > 0) printPaired(paired);
    for (const difference of comparison.differences) print(`not the same in both: ${difference}`);
    return 0;
  },
};

async function compareMany(
  reports: readonly Report[],
  paths: readonly string[],
  asJson: boolean,
): Promise<void> {
  const lined = lineUpReports(reports);
  const pairs = await pairUpReports(reports, paths);
  const evaluators = reports.map(({ evaluator: { id, name, kind, dimension } }) => ({
    id,
    name,
    kind,
    dimension: dimension ?? null,
  }));
  if (asJson) {
    printJson({ ...lined, evaluators, pairs });
    return;
  }
  const letters = reports.map((_, i) => letterOf(i));
  print(`${lined.probe}:`);
  for (const [i, { name, kind, dimension }] of evaluators.entries())
    print(`  ${letters[i]} is ${name} (${kind}${dimension === null ? '' : `, ${dimension} dimensions`})`);
  const lines = lined.metrics.map(({ name, values }) => [
    name,
    ...values.map((metric) => figure(metric?.value ?? null)),
  ]);
  print(`\n${table(['metric', ...letters], lines)}`);
  if (pairs.length > 0) {
    print('\nEvery two, row by row, over the examples both have; p of McNemar, and adjusted by Holm:\n');
    const rows = pairs.map(({ metric, first, second, n, difference, ci, mcNemar, adjusted, verdict }) => [
      metric,
      `${letters[second]} − ${letters[first]}`,
      String(n),
      (difference > 0 ? '+' : '') + figure(difference),
      ci ? `[${ci.map((end) => figure(end)).join(', ')}]` : '–',
      mcNemar ? mcNemar.pValue.toPrecision(3) : '',
      adjusted === undefined ? '' : adjusted.toPrecision(3),
      verdict === 'undecided' ? verdict : `${letters[verdict === 'first' ? first : second]} is better`,
    ]);
    print(table(['metric', '', 'n', 'difference', '95 % interval', 'p', 'adjusted', ''], rows));
  }
  for (const difference of lined.differences) print(`not the same in all: ${difference}`);
}

/** A, B, …, Z, AA, AB, … */
function letterOf(i: number): string {
  const last = String.fromCharCode(65 + (i % 26));
  return i < 26 ? last : letterOf(Math.floor(i / 26) - 1) + last;
}

const verdicts = { first: 'A is better', second: 'B is better', undecided: 'undecided' } as const;

function printPaired(paired: readonly PairedDifference[]): void {
  print('\nRow by row, over the examples both have:\n');
  const lines = paired.map(({ metric, n, difference, ci, mcNemar, verdict }) => [
    metric,
    String(n),
    (difference > 0 ? '+' : '') + figure(difference),
    ci ? `[${ci.map((end) => figure(end)).join(', ')}]` : '–',
    mcNemar ? mcNemar.pValue.toPrecision(3) : '',
    verdicts[verdict],
  ]);
  print(table(['metric', 'n', 'B − A', '95 % interval', 'McNemar p', ''], lines));
}
