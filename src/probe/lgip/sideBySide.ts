import { entryOf } from '../../base/entryOf';
import { english } from '../../base/say';
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

/**
 * Figure 3 of the paper: flips that one evaluator catches and another prefers to the caption, with the scores of
 * the caption and of the flip.
 */
export async function lgipSideBySide(reports: readonly RowsOf<LgipRow>[]): Promise<Chart[]> {
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
    .slice(0, shown);
  if (chosen.length === 0) return [];
  const cells = await Promise.all(reports.map((report) => cellsOf(report, chosen)));
  return [
    {
      type: 'table',
      title: `Flips that one evaluator catches and another prefers (bold score): ${chosen.length} of ${found.size} captions, the clearest first`,
      columns: [
        { title: 'image' },
        { title: 'caption and flip' },
        ...reports.map(({ name }) => ({ title: name, number: true })),
      ],
      rows: chosen.map(({ key }) => {
        const { image, texts } = cells[0].get(key)!;
        return [image, texts, ...cells.map((own) => own.get(key)!.scores)];
      }),
    },
  ];
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

interface Shown {
  image: string;
  texts: Cell;
  scores: Cell;
}

/** Reads the chosen flips' table cells in a second pass, because the first pass keeps only gaps. */
async function cellsOf({ rows }: RowsOf<LgipRow>, chosen: readonly Found[]): Promise<Map<string, Shown>> {
  const wanted = new Set(chosen.map(({ key }) => key));
  const cells = new Map<string, Shown>();
  for await (const row of rows()) {
    for (const variant of row.variants) {
      const key = keyOf(row, variant);
      if (variant.family !== 'flip' || row.score === null || !wanted.has(key)) continue;
      const { text, kind, score, span, was } = variant;
      const flipped: Run = score > row.score ? { strong: score.toFixed(3) } : score.toFixed(3);
      cells.set(key, {
        image: row.image ?? '',
        texts: {
          runs: [
            ...marked(row.text, was),
            { quiet: `flip of ${english(entryOf(kinds, kind) ?? kind)}` },
            ...marked(text, span),
          ],
        },
        scores: { runs: [row.score.toFixed(3), { quiet: 'flip' }, flipped] },
      });
    }
  }
  return cells;
}

function marked(text: string, [start, end]: readonly [number, number]): Run[] {
  return [text.slice(0, start), { strong: text.slice(start, end) }, text.slice(end)];
}
