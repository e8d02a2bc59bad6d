import { say, type Words } from '../../base/say';
import type { Chart, Run } from '../../chart/chart';
import type { Charted } from '../charted';
import { wholeMetric } from '../view';
import type { PairRow, QueryRow } from './row';

const queriesShown = 20;
const namesShown = 5;

/** Charts of the agreement of each pair of wordings, and a table of the queries with the largest changes. */
export async function prsmCharts(
  { metrics }: Charted,
  rows: AsyncIterable<QueryRow>,
): Promise<Chart<Words>[]> {
  const labels: string[] = [];
  const order = new Means();
  const tops = new Map<string, Means>();
  let moved: { row: QueryRow; agreement: number }[] = [];
  for await (const row of rows) {
    for (const { label } of row.wordings) if (!labels.includes(label)) labels.push(label);
    for (const pair of row.pairs) {
      if (pair.rho !== null) order.add(pair, pair.rho);
      for (const [size, shared] of Object.entries(pair.shared)) {
        if (!tops.has(size)) tops.set(size, new Means());
        tops.get(size)!.add(pair, shared);
      }
    }
    // If all images have equal scores, there is no order to compare.
    if (row.moved.length > 0 && row.global !== null) moved.push({ row, agreement: row.global });
    if (moved.length > 10 * queriesShown) moved = worst(moved);
  }
  if (labels.length < 2) return [];
  return [
    order.chart(say('prsm.agreementByPairChart'), labels),
    ...[...tops].flatMap(([size, means]) => {
      // A top list that contains all images never changes.
      if (wholeMetric(metrics, `prsm.local@${size}`)?.moot) return [];
      return [means.chart(say('prsm.overlapByPairChart', size), labels)];
    }),
    movedTable(worst(moved)),
  ];
}

function worst(moved: { row: QueryRow; agreement: number }[]): { row: QueryRow; agreement: number }[] {
  return moved.sort((a, b) => a.agreement - b.agreement || a.row.row - b.row.row).slice(0, queriesShown);
}

class Means {
  private readonly sums = new Map<string, { sum: number; n: number }>();

  add({ first, second }: PairRow, value: number): void {
    const key = JSON.stringify([first, second].sort());
    const of = this.sums.get(key) ?? { sum: 0, n: 0 };
    this.sums.set(key, { sum: of.sum + value, n: of.n + 1 });
  }

  chart(title: Words, labels: readonly string[]): Chart<Words> {
    const values = labels.map((a) =>
      labels.map((b) => {
        const of = this.sums.get(JSON.stringify([a, b].sort()));
        return of === undefined ? null : of.sum / of.n;
      }),
    );
    return { type: 'heatmap', title, rows: labels, columns: labels, values };
  }
}

function movedTable(moved: readonly { row: QueryRow; agreement: number }[]): Chart<Words> {
  const some = (names: readonly string[]): string =>
    names.length <= namesShown
      ? names.join(', ')
      : `${names.slice(0, namesShown).join(', ')} and ${names.length - namesShown} more`;
  return {
    type: 'table',
    title: say('prsm.mostChangedTable'),
    columns: [
      { title: say('prsm.queryColumn') },
      { title: say('prsm.agreementColumn'), number: true },
      { title: say('prsm.changedImagesColumn') },
    ],
    rows: moved.map(({ row: { caption, moved: sets, wordings }, agreement }) => [
      caption,
      agreement.toFixed(4),
      {
        runs: sets.flatMap(({ label, entered, left }): Run<Words>[] => [
          { strong: label },
          ` ${wordings.find((wording) => wording.label === label)?.text ?? ''}`,
          { quiet: say('prsm.addedAndDropped', some(entered) || '–', some(left) || '–') },
        ]),
      },
    ]),
  };
}
