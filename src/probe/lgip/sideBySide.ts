import type { Words } from '../../base/say';
import { entryOf } from '../../base/entryOf';
import { english } from '../../base/english';
import { largest, smallest } from '../../base/extent';
import type { Cell, Chart, Run } from '../../chart/chart';
import type { RowsOf } from '../probe';
import { kinds } from './names';
import type { LgipRow, LgipVariant } from './row';

const shown = 12;

interface Found {
  key: string;
  caption: string;
  /** How clearly the evaluators disagree, in units of each evaluator's mean absolute gap. */
  size: number;
}

/** A flip that one evaluator catches and another prefers to the caption. */
export interface DisputedFlip {
  /** The caption's row and the flip in the first report. */
  row: LgipRow;
  flip: LgipVariant;
  /** Each report's scores of the caption and of the flip. */
  scores: { caption: number; flip: number }[];
}

/** Figure 3 of the paper: flips that one evaluator catches and another prefers, the clearest first. */
export async function disputedFlips(
  reports: readonly RowsOf<LgipRow>[],
  most = shown,
): Promise<{ flips: DisputedFlip[]; total: number }> {
  const gaps = await Promise.all(reports.map(gapsOf));
  const units = gaps.map((own) => {
    let sum = 0;
    for (const gap of own.values()) sum += Math.abs(gap);
    return sum / own.size;
  });
  const found = new Map<string, Found>();
  for (const key of gaps[0].keys()) {
    const all = gaps.map((own, i) => (own.get(key) ?? NaN) / units[i]);
    const [low, high] = [smallest(all), largest(all)];
    // If a report does not have the flip, `low` and `high` are NaN.
    if (!(low < 0 && high > 0)) continue;
    const size = high - low;
    const caption = captionOf(key);
    const before = found.get(caption);
    if (before === undefined || size > before.size) found.set(caption, { key, caption, size });
  }
  const chosen = [...found.values()]
    .sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
    .slice(0, most);
  const own = await Promise.all(reports.map((report) => flipsOf(report, chosen)));
  return {
    total: found.size,
    flips: chosen.map(({ key }) => ({
      ...own[0].get(key)!,
      scores: own.map((flips) => {
        const { row, flip } = flips.get(key)!;
        return { caption: row.score!, flip: flip.score };
      }),
    })),
  };
}

/** The disputed flips as a table. */
export async function lgipSideBySide(reports: readonly RowsOf<LgipRow>[]): Promise<Chart<Words>[]> {
  const { flips, total } = await disputedFlips(reports);
  if (flips.length === 0) return [];
  return [
    {
      type: 'table',
      title: `Flips that one evaluator catches and another prefers (bold score): ${flips.length} of ${total} captions, the clearest first`,
      columns: [
        { title: 'image' },
        { title: 'caption and flip' },
        ...reports.map(({ name }) => ({ title: name, number: true })),
      ],
      rows: flips.map(({ row, flip, scores }) => [
        row.image ?? '',
        textsOf(row, flip),
        ...scores.map(scoresOf),
      ]),
    },
  ];
}

function textsOf({ text: caption }: LgipRow, { text, kind, was, span }: LgipVariant): Cell<Words> {
  return {
    runs: [
      ...marked(caption, was),
      { quiet: `flip of ${english(entryOf(kinds, kind) ?? kind)}` },
      ...marked(text, span),
    ],
  };
}

function scoresOf({ caption, flip }: DisputedFlip['scores'][number]): Cell<Words> {
  const flipped: Run<Words> = flip > caption ? { strong: flip.toFixed(3) } : flip.toFixed(3);
  return { runs: [caption.toFixed(3), { quiet: 'flip' }, flipped] };
}

/** Identifies a flip of a caption. Reports share a flip if its example, its caption and its text are equal. */
function keyOf(row: LgipRow, { text }: LgipVariant): string {
  return JSON.stringify([row.example, row.caption, row.text, text]);
}

function captionOf(key: string): string {
  return JSON.stringify((JSON.parse(key) as unknown[]).slice(0, 3));
}

async function gapsOf({ rows }: RowsOf<LgipRow>): Promise<Map<string, number>> {
  const gaps = new Map<string, number>();
  for await (const row of rows())
    for (const variant of row.variants)
      if (variant.family === 'flip' && variant.gap !== undefined) gaps.set(keyOf(row, variant), variant.gap);
  return gaps;
}

/** Reads the chosen flips in a second pass, because the first pass keeps only gaps. */
async function flipsOf(
  { rows }: RowsOf<LgipRow>,
  chosen: readonly Found[],
): Promise<Map<string, { row: LgipRow; flip: LgipVariant }>> {
  const wanted = new Set(chosen.map(({ key }) => key));
  const flips = new Map<string, { row: LgipRow; flip: LgipVariant }>();
  if (wanted.size === 0) return flips;
  for await (const row of rows())
    for (const flip of row.variants) {
      const key = keyOf(row, flip);
      if (flip.family === 'flip' && row.score !== null && wanted.has(key)) flips.set(key, { row, flip });
    }
  return flips;
}

function marked(text: string, [start, end]: readonly [number, number]): Run<Words>[] {
  return [text.slice(0, start), { strong: text.slice(start, end) }, text.slice(end)];
}
