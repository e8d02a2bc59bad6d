/* Makes a table of how often score changes have the same direction as on a baseline dataset. */
import { inputError } from '../../../base/errors';
import { say } from '../../../base/say';
import { type Agreement, agreementOf, medianDirections } from '../../../probe/invariance/agreement';
import type { InvarianceRow } from '../../../probe/invariance/row';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import { type Entry, inOrder } from '../entry';
import { freeTable, type Layout } from '../layout';
import { cellOf, type PaperRow } from '../table';

const id = 'invariance.table12';
const families = [
  ['Cultural subset', 'cultural'],
  ['Economic subset', 'economic'],
  ['Vertical flip', 'vflip'],
] as const;

async function rowsOf({ path, report }: Entry): Promise<InvarianceRow[]> {
  const rows: InvarianceRow[] = [];
  for await (const row of readRows(path, report, new LeftOutRows())) rows.push(row as InvarianceRow);
  return rows;
}

export const agreementTable: Layout = {
  id,
  probe: 'invariance',
  mirrors: 'Invariance audit, Table 12: agreement of directions with the first dataset',
  async build(entries) {
    const [baseline, ...corpora] = inOrder(entries, ({ dataset }) => dataset);
    if (corpora.length === 0)
      throw inputError(say('paper.directionsNeedDatasets', id, baseline), say('paper.giveSeveralDatasets'));
    const rows: PaperRow[] = [];
    for (const evaluator of inOrder(entries, (one) => one.evaluator)) {
      const own = entries.filter((one) => one.evaluator === evaluator);
      const first = own.find(({ dataset }) => dataset === baseline);
      const others = own.filter(({ dataset }) => dataset !== baseline);
      if (first === undefined || others.length === 0) continue;
      const before = await rowsOf(first);
      const all: Agreement[] = [];
      for (const other of others) all.push(agreementOf(before, await rowsOf(other)));
      const found = medianDirections(all);
      rows.push({
        labels: [evaluator],
        cells: families.map(([head, family]) => {
          const value = found.find((one) => one.family === family);
          const n = all.flatMap(({ directions }) => directions.filter((one) => one.family === family));
          return cellOf(first, {
            ...{ head, metric: '', factor: 100, digits: 0 },
            find: () =>
              value && {
                id: `invariance.agreement.${family}`,
                value: value.value,
                n: n.reduce((sum, one) => sum + one.n, 0),
              },
          });
        }),
      });
    }
    if (rows.length === 0)
      throw inputError(
        say('paper.directionsNeedSameEvaluator', id, baseline),
        say('paper.auditOnBothDatasets'),
      );
    const heads = [families.map(([head]) => ({ text: head, span: 1 }))];
    const caption = `Agreement (%) of the direction of the change with ${baseline}: median over ${corpora.join(', ')}.`;
    return freeTable({ id, caption, heads, labels: 1, rows }, entries);
  },
};
