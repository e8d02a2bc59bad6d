import { CaptiousError } from '../base/errors';
import { agreementOf } from '../probe/invariance/agreement';
import { readAudit } from '../report/auditRows';
import { figure } from '../report/figures';
import type { Command } from './arguments';
import { print, printJson, table } from './terminal';

export const agreementCommand: Command = {
  name: 'agreement',
  summary: 'how far two invariance audits agree: two evaluators, or two datasets',
  help: `captious agreement A B

  A, B              two reports of the probe audit: of two evaluators over one dataset (their scores are correlated), or of
                    one evaluator over two datasets, A being the baseline (the directions of their shifts are compared)
  --json            print the result as one JSON value

Example:
  captious agreement coco/audit.starter.report.json flickr/audit.starter.report.json`,
  options: {},

  async run({ positionals, values }) {
    if (positionals.length !== 2)
      throw new CaptiousError('usage', `Two reports are compared, not ${positionals.length}.`, {
        remedy: 'See: captious agreement --help',
      });
    const [a, b] = await Promise.all(positionals.map(async (path) => (await readAudit(path)).rows));
    const agreement = agreementOf(a, b);
    if (values.json) {
      printJson(agreement);
      return 0;
    }
    const { scores, directions } = agreement;
    const told = (value: number | null): string => (value === null ? 'not defined' : figure(value));
    print(
      scores === undefined
        ? 'They share no caption, so their scores cannot be correlated.'
        : `Over ${scores.n} captions both scored: Spearman’s ρ ${told(scores.spearman)}, Kendall’s τ-b ${told(scores.kendall)}.`,
    );
    print('\nShifts of B that go the way of A’s median:\n');
    print(
      table(
        ['family', 'n', 'same direction'],
        directions.map(({ family, n, value }) => [family, String(n), figure(value)]),
      ),
    );
    return 0;
  },
};
