import type { Chart, Charted } from '../chart';
import type { VislaRow } from './row';

const pairs = { p1p2: 'P1 and P2', p1n: 'P1 and N', p2n: 'P2 and N' } as const;
type Pair = keyof typeof pairs;

const examplesShown = 20;

/** Charts of edit distances in characters and words, of margins, and of failures in both settings. */
export async function vislaCharts(_report: Charted, rows: AsyncIterable<VislaRow>): Promise<Chart[]> {
  const distances = { characters: edges(), words: edges() };
  const margins: { t2t: number[]; i2t: number[] } = { t2t: [], i2t: [] };
  const failing: VislaRow[] = [];
  const onlySeen: VislaRow[] = [];
  for await (const row of rows) {
    for (const unit of ['characters', 'words'] as const)
      for (const pair of Object.keys(pairs) as Pair[]) distances[unit][pair].push(row[unit][pair]);
    const { t2t, i2t } = row;
    if (t2t) margins.t2t.push(t2t.p1p2 - Math.max(t2t.p1n, t2t.p2n));
    if (i2t) margins.i2t.push(Math.min(i2t.p1, i2t.p2) - i2t.n);
    if (i2t && !i2t.right && failing.length < examplesShown) failing.push(row);
    if (i2t?.right && t2t && !t2t.right && onlySeen.length < examplesShown) onlySeen.push(row);
  }
  return [
    ...Object.entries(distances).flatMap(([unit, of]) =>
      (Object.keys(pairs) as Pair[]).map((pair): Chart => ({
        type: 'histogram',
        title: `Distance of ${pairs[pair]}`,
        axis: `${unit} changed`,
        values: of[pair],
      })),
    ),
    {
      type: 'histogram',
      title: 'Margins of captions against captions',
      axis: 'above zero, both comparisons are right',
      values: margins.t2t,
    },
    {
      type: 'histogram',
      title: 'Margins of the image against captions',
      axis: 'above zero, both positives beat the negative',
      values: margins.i2t,
    },
    examples('Wrong with the image', failing),
    examples('Right with the image, wrong from the captions alone', onlySeen),
  ];
}

function edges(): Record<Pair, number[]> {
  return { p1p2: [], p1n: [], p2n: [] };
}

function examples(title: string, rows: readonly VislaRow[]): Chart {
  const score = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(4));
  const count = rows.length === examplesShown ? `the first ${examplesShown}` : String(rows.length);
  return {
    type: 'table',
    title: `${title} (${count})`,
    columns: [
      { title: 'line', number: true },
      { title: 'image' },
      { title: 'captions' },
      { title: 'score with the image', number: true },
      { title: 'P1–P2, P1–N, P2–N', number: true },
    ],
    rows: rows.map(({ image, p1, p2, n, i2t, t2t, row, place }) => [
      String(place?.line ?? row + 1),
      image ?? '',
      { lines: [`P1 ${p1}`, `P2 ${p2}`, `N ${n}`] },
      { lines: [i2t?.p1, i2t?.p2, i2t?.n].map(score) },
      { lines: [t2t?.p1p2, t2t?.p1n, t2t?.p2n].map(score) },
    ]),
  };
}
