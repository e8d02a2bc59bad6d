/* Makes tables whose cells show an evaluator's value before and after calibration. */
import { type Code, findSaid, say, type Words } from '../../../base/say';
import { inputError } from '../../../base/errors';
import { observation } from '../../../base/text/observations';
import { english } from '../../../base/english';
import { figuresOver } from '../../../probe/invariance/figuresOver';
import { isForFitting } from '../../../probe/invariance/calibration/calibrate';
import { clusterOf } from '../../../probe/metric';
import { invarianceRows } from '../../invarianceRows';
import { clusterOfAll, type Entry, inOrder } from '../entry';
import { freeTable, type Layout } from '../layout';
import { comparedShares } from '../../paired';
import { requireComparable } from '../../scale';
import { cellOf, type Column, isNumber, type PaperCell, type PaperRow } from '../table';

/** Which images served to fit an evaluator's correction. Undefined if its notes do not say so. */
function splitOf({ report }: Entry): { seed: number; dev: number } | undefined {
  const [, , , , seed, dev] = valuesOf(report, 'calibrate.fitted');
  return seed === undefined ? undefined : { seed: Number(seed), dev: Number(dev) };
}

/** The values of the evaluator's note with this code; empty if it has no such note. */
function valuesOf({ evaluator }: Entry['report'], code: Code): Words[] {
  return evaluator.notes.flatMap((note) => findSaid(note, code) ?? []).at(0)?.values ?? [];
}

/** The same report with metrics only over the images that did not serve to fit the correction. */
async function heldOut(entry: Entry, options: { seed: number; dev: number }): Promise<Entry> {
  const { report, path } = entry;
  const { rows } = await invarianceRows(path, report);
  const left = rows.filter((row) => !isForFitting(clusterOf(row), options));
  const { evaluator, seed, options: settings } = report;
  const metrics = await entry.inTurns(
    figuresOver(left, {
      ...{ dataset: entry.dataset, seed, options: settings },
      ...{ scores: evaluator.scores, scale: evaluator.scale },
    }),
  );
  return { ...entry, report: { ...report, metrics } };
}

function baseOf({ report }: Entry): string | undefined {
  const [name] = valuesOf(report, 'evaluator.calibratedScores');
  return typeof name === 'string' ? name : undefined;
}

const whole =
  'All images, also those that served to fit the correction: an evaluator does not say which they are. Calibrate it again.';

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
    async build(entries) {
      const all = calibratedPairs(id, entries);
      const pairs = await Promise.all(
        all.map(async (pair) => {
          const parts = splitOf(pair.after);
          if (parts === undefined) return pair;
          return { before: await heldOut(pair.before, parts), after: await heldOut(pair.after, parts) };
        }),
      );
      const isWhole = all.some(({ after }) => splitOf(after) === undefined);
      const datasets = inOrder(entries, ({ dataset }) => dataset).length;
      const rows = pairs.map(({ before, after }) => ({
        labels: [datasets > 1 ? `${before.evaluator}, ${before.dataset}` : before.evaluator],
        cells: columns.map((column) => joined(cellOf(before, column), cellOf(after, column))),
      }));
      const heads = [columns.map(({ head }) => ({ text: head, span: 1 }))];
      const which = isWhole ? [whole] : ['Only images that did not serve to fit the correction.'];
      return freeTable({ id, caption, heads, labels: 1, rows, notes: [...notes, ...which] }, entries);
    },
  };
}

function joined(before: PaperCell, after: PaperCell): PaperCell {
  return isNumber(before) && isNumber(after) ? { ...before, after } : before;
}

/** Each evaluator's report with the one of the same evaluator after calibration, on the same dataset. */
function calibratedPairs(id: string, entries: readonly Entry[]): { before: Entry; after: Entry }[] {
  const pairs = entries.flatMap((after) => {
    const name = baseOf(after);
    const before = entries.find((one) => one.report.evaluator.name === name && one.dataset === after.dataset);
    return before === undefined ? [] : [{ before, after }];
  });
  if (pairs.length === 0)
    throw inputError(say('paper.calibratedPairNeeded', id), say('paper.calibrateThenAudit'));
  return pairs;
}

const accuracy: Column = { head: '', metric: 'human.accuracy', factor: 100, digits: 1 };

/** Table 17 is about people's preferences, so it needs reports of the probe `human`. */
export const preferenceTable: Layout = {
  id: 'invariance.table17',
  probe: 'human',
  mirrors: 'Invariance audit, Table 17: agreement with preferences before and after calibration',
  async build(entries) {
    const pairs = calibratedPairs('invariance.table17', entries);
    const suites = inOrder(entries, ({ dataset }) => dataset);
    const rows: PaperRow[] = [];
    for (const suite of suites)
      for (const [i, { before, after }] of pairs.filter((pair) => pair.before.dataset === suite).entries())
        rows.push({
          labels: [i === 0 ? suite : '', before.evaluator],
          cells: [cellOf(before, accuracy), cellOf(after, accuracy), await differenceCell(before, after)],
          ruled: i === 0,
        });
    return freeTable(
      {
        id: 'invariance.table17',
        caption: 'Accuracy (%) for people’s preferences between two captions, before and after calibration.',
        heads: [['Before', 'After', 'Δ'].map((text) => ({ text, span: 1 }))],
        ...{ labels: 2, labelHeads: ['Suite', 'Evaluator'], rows },
        notes: [
          `Δ: percentage points, over the pairs that both reports have, with the interval of the paired test (standard errors clustered by ${english(observation(clusterOfAll(entries)))}). Equal scores are wrong; the paper counts them half.`,
        ],
      },
      entries,
    );
  },
};

async function differenceCell(before: Entry, after: Entry): Promise<PaperCell> {
  requireComparable(before.report, after.report);
  const shares = [await before.shares(), await after.shares()] as const;
  const compared = await before.inTurns(comparedShares('human', shares, { basis: { kind: 'raw' } }));
  const found = compared.find(({ metric }) => metric === accuracy.metric);
  return cellOf(after, {
    ...{ ...accuracy, signed: true },
    find: () =>
      found && {
        ...{ id: 'human.accuracy.difference', value: found.difference, n: found.n, images: found.images },
        ...(found.ci && { ci: found.ci }),
      },
  });
}
