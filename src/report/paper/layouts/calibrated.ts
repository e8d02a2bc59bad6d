/* Makes tables whose cells show an evaluator's value before and after calibration. */
import { CaptiousError } from '../../../base/errors';
import { say } from '../../../base/say';
import type { Entry } from '../entry';
import { freeTable, type Layout } from '../layout';
import { cellOf, type Column, isNumber, type PaperCell } from '../table';
import { inOrder } from '../entry';

/** The start of the note in which a calibrated evaluator names the original evaluator. */
const derived = /^Scores are those of (.+) minus \S+ times the correction "/;

function baseOf({ report }: Entry): string | undefined {
  return report.evaluator.notes.map((note) => derived.exec(note)?.[1]).find((name) => name !== undefined);
}

export function afterCalibration(
  table: number,
  what: string,
  caption: string,
  columns: readonly Column[],
  notes: readonly string[] = [],
): Layout {
  const id = `invariance.table${table}`;
  return {
    ...{ id, probe: 'invariance', mirrors: `Invariance audit, Table ${table}: ${what}` },
    build(entries) {
      const pairs = entries.flatMap((after) => {
        const name = baseOf(after);
        const before = entries.find(
          (one) => one.report.evaluator.name === name && one.dataset === after.dataset,
        );
        return before === undefined ? [] : [{ before, after }];
      });
      if (pairs.length === 0)
        throw new CaptiousError(
          'input',
          say`${id} needs two reports on the same dataset: one of an evaluator, and one of the same evaluator after calibration.`,
          {
            remedy: say`Run "captious calibrate" with --out on a report of the evaluator, audit the calibrated evaluator on the same dataset, and give both reports.`,
          },
        );
      const datasets = inOrder(entries, ({ dataset }) => dataset).length;
      const rows = pairs.map(({ before, after }) => ({
        labels: [datasets > 1 ? `${before.evaluator}, ${before.dataset}` : before.evaluator],
        cells: columns.map((column) => joined(cellOf(before, column), cellOf(after, column))),
      }));
      const heads = [columns.map(({ head }) => ({ text: head, span: 1 }))];
      return Promise.resolve(freeTable({ id, caption, heads, labels: 1, rows, notes }, entries));
    },
  };
}

function joined(before: PaperCell, after: PaperCell): PaperCell {
  return isNumber(before) && isNumber(after) ? { ...before, after } : before;
}
