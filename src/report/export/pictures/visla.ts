import type { VislaRow } from '../../../probe/visla/row';
import type { Report } from '../../report';
import { histogram } from '../chart';
import { htmlTable } from '../page';
import { escapeXml as e } from '../../../base/xml';

const pairs = { p1p2: 'P1 and P2', p1n: 'P1 and N', p2n: 'P2 and N' } as const;
type Pair = keyof typeof pairs;

const examplesShown = 20;

/** How far the captions lie apart in letters and words, the margins, and the failures of the two settings side by side. */
export async function vislaPictures(_report: Report, rows: AsyncIterable<VislaRow>): Promise<string[]> {
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
      (Object.keys(pairs) as Pair[]).map((pair) =>
        histogram(`Distance of ${pairs[pair]}`, `${unit} changed`, Float64Array.from(of[pair])),
      ),
    ),
    histogram(
      'Margins of captions against captions',
      'above zero both comparisons are right',
      Float64Array.from(margins.t2t),
    ),
    histogram(
      'Margins of the photo against captions',
      'above zero both positives beat the negative',
      Float64Array.from(margins.i2t),
    ),
    examples('Wrong given the photo', failing),
    examples('Right given the photo, wrong by the captions alone', onlySeen),
  ];
}

function edges(): Record<Pair, number[]> {
  return { p1p2: [], p1n: [], p2n: [] };
}

function examples(title: string, rows: readonly VislaRow[]): string {
  if (rows.length === 0) return '';
  const score = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(4));
  const body = rows.map(({ image, p1, p2, n, i2t, t2t, row, place }) => [
    String(place?.line ?? row + 1),
    e(image ?? ''),
    [`P1 ${e(p1)}`, `P2 ${e(p2)}`, `N ${e(n)}`].join('<br>'),
    [i2t?.p1, i2t?.p2, i2t?.n].map(score).join('<br>'),
    [t2t?.p1p2, t2t?.p1n, t2t?.p2n].map(score).join('<br>'),
  ]);
  const columns = [
    { title: 'line', number: true },
    { title: 'photo' },
    { title: 'captions' },
    { title: 'with the photo', number: true },
    { title: 'P1–P2, P1–N, P2–N', number: true },
  ];
  const count = rows.length === examplesShown ? `the first ${examplesShown}` : String(rows.length);
  return `<h3>${e(title)} (${count})</h3>${htmlTable(columns, body)}`;
}
