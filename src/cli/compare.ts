import { CaptiousError } from '../base/errors';
import { compareReports } from '../report/compare';
import { figure } from '../report/figures';
import { type PairedDifference, pairedDifferences } from '../report/paired';
import { readReport } from '../report/report';
import { readRows, rowsPath } from '../report/rows';
import type { Command } from './arguments';
import { print, printJson, table } from './terminal';

export const compareCommand: Command = {
  name: 'compare',
  summary: 'line up two reports of one probe, metric by metric',
  help: `captious compare A B

  A, B              two report files of the same probe
  --json            print the comparison as one JSON value

Example:
  captious compare reports/visla.starter.report.json reports/visla.gte-small.report.json`,
  options: {},

  async run({ positionals, values }) {
    if (positionals.length !== 2) {
      throw new CaptiousError('usage', `Two reports are compared, not ${positionals.length}.`, {
        remedy: 'See: captious compare --help',
      });
    }
    const [a, b] = await Promise.all(positionals.map(readReport));
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
