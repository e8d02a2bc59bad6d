import { CaptiousError } from '../base/errors';
import { compareReports } from '../report/compare';
import { figure } from '../report/figures';
import { readReport } from '../report/report';
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
    if (values.json) {
      printJson(comparison);
      return 0;
    }
    print(`${comparison.probe}: A is ${a.evaluator.name}, B is ${b.evaluator.name}\n`);
    const rows = comparison.metrics.map((metric) => [
      metric.name,
      figure(metric.a?.value ?? null),
      figure(metric.b?.value ?? null),
      metric.difference === null ? '–' : (metric.difference > 0 ? '+' : '') + figure(metric.difference),
    ]);
    print(table(['metric', 'A', 'B', 'B − A'], rows));
    for (const difference of comparison.differences) print(`not the same in both: ${difference}`);
    return 0;
  },
};
