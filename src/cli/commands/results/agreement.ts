import { basename } from 'node:path';
import { usageError } from '../../../base/errors';
import { type Agreement, agreementOf, medianDirections } from '../../../probe/invariance/agreement';
import { auditAt } from '../../audits';
import { figure } from '../../../report/figures';
import type { Command } from '../../arguments';
import { print, printJson, table } from '../../terminal';

export const agreementCommand: Command = {
  name: 'agreement',
  summary: 'measure how well invariance reports of several evaluators or datasets agree',
  usage: ['agreement A B [C…]'],
  operands: {
    'A, B':
      'two invariance reports. For two evaluators on one dataset, the command correlates their scores. For one evaluator on two datasets, it compares the directions of the shifts, with A as the baseline',
    'C…': 'more reports. Each is compared with A, and the table also shows the median over all of them',
  },
  options: { json: { describe: 'print the result as one JSON value' } },
  examples: [
    'agreement reports/invariance.starter.report.json reports/invariance.clipscore_starter.report.json',
  ],

  async run({ positionals, values }) {
    if (positionals.length < 2)
      throw usageError(
        `Expected two or more reports, got ${positionals.length}.`,
        'See: captious agreement --help',
      );
    const [baseline, ...others] = await Promise.all(
      positionals.map(async (path) => (await auditAt(path)).rows),
    );
    const all = others.map((rows) => agreementOf(baseline, rows));
    const overall = medianDirections(all);
    if (values.json) {
      printJson(all.length === 1 ? all[0] : { each: all, directions: overall });
      return 0;
    }
    for (const [i, { scores }] of all.entries()) print(scoresWords(positionals[i + 1], scores));
    print('\nShifts in the direction of the median in A:\n');
    print(
      table(
        [
          'family',
          ...positionals.slice(1).map((path) => basename(path)),
          ...(all.length > 1 ? ['median'] : []),
        ],
        overall.map(({ family, value }) => [
          family,
          ...all.map(({ directions }) => {
            const own = directions.find((one) => one.family === family);
            return own === undefined ? '–' : `${figure(own.value)} of ${own.n}`;
          }),
          ...(all.length > 1 ? [figure(value)] : []),
        ]),
      ),
    );
    return 0;
  },
};

function scoresWords(path: string, scores: Agreement['scores']): string {
  const localized = (value: number | null): string => (value === null ? 'not defined' : figure(value));
  return scores === undefined
    ? `${basename(path)}: no caption is in both reports, so scores cannot be correlated.`
    : `${basename(path)}: over ${scores.n} captions scored in both reports, Spearman’s ρ ${localized(scores.spearman)}, Kendall’s τ-b ${localized(scores.kendall)}.`;
}
