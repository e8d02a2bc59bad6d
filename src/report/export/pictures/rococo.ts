import type { CaptionRow, PhotoRow, RococoRow, WordInfluence } from '../../../probe/rococo/row';
import type { Report } from '../../report';
import { type Bar, bars } from '../chart';
import { heatmap } from '../heatmap';
import { escapeXml as e } from '../../../base/xml';

const captionsShown = 30;
const photosShown = 12;
const wordsShown = 20;
const shades = 5;

/** The words of captions by their influence, the words that were chosen, how far encoders agree, and where a photo matters. */
export async function rococoPictures(_report: Report, rows: AsyncIterable<RococoRow>): Promise<string[]> {
  const captions: CaptionRow[] = [];
  const photos: PhotoRow[] = [];
  const chosen = new Map<string, number>();
  const agreement = new Map<string, number>();
  let choices = 0;
  for await (const row of rows) {
    if (row.kind === 'photo') {
      if (row.occlusion !== undefined && photos.length < photosShown) photos.push(row);
      continue;
    }
    if (row.words?.some(({ influence }) => influence !== null) && captions.length < captionsShown)
      captions.push(row);
    const word = row.chosen === undefined ? undefined : row.words?.[row.chosen];
    if (word === undefined) continue;
    choices++;
    count(chosen, word.text.toLowerCase());
    if (row.voters !== undefined && row.voters > 1)
      count(agreement, `${row.votes} of ${row.voters} encoders`);
  }
  return [
    words(captions),
    chosen.size === 0
      ? ''
      : bars(
          `Words that weigh least: ${chosen.size} of ${choices} choices, the most frequent`,
          shareBars(chosen, choices),
        ),
    agreement.size === 0
      ? ''
      : bars('Encoders that chose the same word', shareBars(agreement, total(agreement))),
    ...photos.map(occlusion),
  ];
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

function shareBars(counts: ReadonlyMap<string, number>, of: number): Bar[] {
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, wordsShown)
    .map(([name, n]) => ({ name, value: n / of, n }));
}

function words(captions: readonly CaptionRow[]): string {
  if (captions.length === 0) return '';
  const lines = captions.map((row) => `<li>${shaded(row.caption, row.words!)}</li>`);
  return (
    '<h3>Words by influence</h3><p>The darker a noun, the further the caption’s embedding turns without it; the number says how far.</p>' +
    `<ul class="words">${lines.join('\n')}</ul>`
  );
}

function shaded(caption: string, nouns: readonly WordInfluence[]): string {
  const most = Math.max(...nouns.map(({ influence }) => influence ?? 0));
  let at = 0;
  let out = '';
  for (const { start, end, text, influence } of nouns) {
    out += e(caption.slice(at, start));
    const shade = influence === null || most <= 0 ? 0 : Math.ceil((influence / most) * shades);
    out += `<span class="shade${Math.max(0, shade)}">${e(text)}${influence === null ? '' : `<sub>${influence.toFixed(3)}</sub>`}</span>`;
    at = end;
  }
  return out + e(caption.slice(at));
}

function occlusion({ image, example, occlusion: cells }: PhotoRow): string {
  const side = Math.round(Math.sqrt(cells!.length));
  const none = Array<string>(side).fill('');
  return heatmap({
    title: `${image ?? example}: how far its embedding turns with a cell black`,
    rows: none,
    columns: none,
    values: none.map((_, i) => cells!.slice(i * side, (i + 1) * side).map((cosine) => 1 - cosine)),
  });
}
