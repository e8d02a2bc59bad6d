/* Which examples have a lens, and when the lenses of a file become one. */
import { isMissed, type PlacedMark } from './evaluatorMarks';
import type { RowAnswer, RowAsk } from '../../protocol/rows';

const lensLevels = ['all', 'wrong', 'worst', 'off'] as const;
export type LensLevel = (typeof lensLevels)[number];

/** How many examples have a lens at the level `worst`. */
export const worstShown = 20;

/** The level of the setting. Earlier versions had only `true`, which showed wrong examples, and `false`. */
export function lensLevelOf(set: unknown): LensLevel {
  if (typeof set === 'boolean') return set ? 'wrong' : 'off';
  return lensLevels.find((level) => level === set) ?? 'wrong';
}

/**
 * Whether an example has a lens. Other examples have a hint, because a lens on every line doubles the file's height.
 * Edited examples have one at every level but `off`. `worst` has the lines of the worst examples in the audited file.
 */
export function hasLens(
  level: LensLevel,
  { mark, stale, fresh }: Pick<PlacedMark, 'mark' | 'stale' | 'fresh'>,
  worst?: ReadonlySet<number>,
): boolean {
  switch (level) {
    case 'off':
      return false;
    case 'all':
      return true;
    case 'wrong':
      return stale || fresh || isMissed(mark);
    case 'worst':
      return stale || fresh || (isMissed(mark) && worst?.has(mark.line) === true);
  }
}

/** The request for the worst comparisons of a report. An example may have several, so more than `worstShown`. */
export const worstFirst = {
  selection: { text: '', facets: {}, sort: 'worst' },
  offset: 0,
  limit: 10 * worstShown,
} satisfies Omit<RowAsk<'lines'>, 'report'>;

/**
 * The lines of the worst examples, from the answers of several evaluators to `worstFirst`: the worst of each, then
 * the second worst of each.
 */
export function worstLines(answers: readonly Pick<RowAnswer<'lines'>, 'lines'>[]): Set<number> {
  const ranked = answers.map(({ lines }) => [
    ...new Set(
      lines.flatMap(({ line, verdict }) =>
        line !== undefined && (verdict === 'wrong' || verdict === 'tie') ? line : [],
      ),
    ),
  ]);
  const chosen = new Set<number>();
  for (let rank = 0; rank < worstFirst.limit; rank++)
    for (const line of ranked.flatMap((own) => own.at(rank) ?? []))
      if (chosen.size < worstShown) chosen.add(line);
  return chosen;
}

/** Fewer lenses than this can be scrolled past. */
const leastSame = 35;
const shareSame = 0.9;
const number = /\d+(?:[.,]\d+)*/g;

/** The text that nearly all examples of a file share, and their number. */
export interface SharedText {
  text: string;
  count: number;
}

/**
 * The text that at least 90 % of a file's `examples` share, if they are many. Texts that differ only in numbers count
 * as the same, and the shared text has the range of each number.
 */
export function sharedText(lenses: readonly string[], examples: number): SharedText | undefined {
  const groups = new Map<string, string[]>();
  for (const text of lenses) {
    const key = text.replace(number, '#');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [text]);
    else group.push(text);
  }
  const same = [...groups.values()].sort((a, b) => b.length - a.length).at(0);
  if (same === undefined || same.length < leastSame || same.length < shareSame * examples) return undefined;
  const all = same.map((text) => text.match(number) ?? []);
  let next = 0;
  const text = same[0].replace(number, () => {
    const at = next++;
    return rangeOf(all.map((numbers) => numbers[at]));
  });
  return { text, count: same.length };
}

function rangeOf(numbers: readonly string[]): string {
  const sorted = [...numbers].sort((a, b) => valueOf(a) - valueOf(b));
  const [low, high] = [sorted[0], sorted[sorted.length - 1]];
  return low === high ? low : `${low}–${high}`;
}

function valueOf(text: string): number {
  return Number(text.replace(',', '.'));
}
