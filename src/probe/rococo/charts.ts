import { say, type Words } from '../../base/say';
import { largest } from '../../base/extent';
import type { Bar, Chart, Run } from '../../chart/chart';
import type { Charted } from '../charted';
import type { CaptionRow, ImageRow, RococoRow, WordInfluence } from './row';

const captionsShown = 30;
const imagesShown = 12;
const wordsShown = 20;
const shades = 5;

/** Charts of word influence, chosen words, agreement of encoders, and image regions. */
export async function rococoCharts(
  _report: Charted,
  rows: AsyncIterable<RococoRow>,
): Promise<Chart<Words>[]> {
  const captions: CaptionRow[] = [];
  const images: ImageRow[] = [];
  const chosen = new Map<string, number>();
  const agreement = new Map<string, number>();
  let choices = 0;
  for await (const row of rows) {
    if (row.kind === 'image') {
      if (row.occlusion !== undefined && images.length < imagesShown) images.push(row);
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
    {
      type: 'texts',
      title: say('rococo.wordsByInfluence'),
      note: say('rococo.nounInfluenceMeaning'),
      texts: captions.map((row) => shaded(row.caption, row.words!)),
    },
    {
      type: 'bars',
      title: say('rococo.leastInfluentialNouns', Math.min(chosen.size, wordsShown), choices),
      bars: shareBars(chosen, choices),
      axis: say('rococo.axisCaptionShare'),
    },
    {
      type: 'bars',
      title: say('rococo.encoderAgreementChart'),
      bars: shareBars(agreement, total(agreement)),
      axis: say('rococo.axisCaptionShare'),
    },
    ...images.map(occlusion),
  ];
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

function shareBars(counts: ReadonlyMap<string, number>, of: number): Bar<Words>[] {
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, wordsShown)
    .map(([name, n]) => ({ name, value: n / of, n }));
}

function shaded(caption: string, nouns: readonly WordInfluence[]): Run<Words>[] {
  const most = largest(nouns.map(({ influence }) => influence ?? 0));
  let at = 0;
  const runs: Run<Words>[] = [];
  for (const { start, end, text, influence } of nouns) {
    const shade = influence === null || most <= 0 ? 0 : Math.ceil((influence / most) * shades);
    const below = influence === null ? {} : { below: influence.toFixed(3) };
    runs.push(caption.slice(at, start), { text, shade: Math.max(0, shade), ...below });
    at = end;
  }
  return [...runs, caption.slice(at)];
}

function occlusion({ image, example, occlusion: cells }: ImageRow): Chart<Words> {
  const side = Math.round(Math.sqrt(cells!.length));
  const none = Array<string>(side).fill('');
  return {
    type: 'heatmap',
    title: `${image ?? example}: change of its embedding with one cell black`,
    rows: none,
    columns: none,
    values: none.map((_, i) => cells!.slice(i * side, (i + 1) * side).map((cosine) => 1 - cosine)),
  };
}
