import { largest } from '../../src/base/extent';
import type { JudgedLine } from '../../src/protocol/parts/judged';
import type { Line } from '../../src/protocol/rows';
import { diffWords } from '../base/diff';

/**
 * Of the wrong lines whose differences are at least half of the largest, the one whose captions differ in the fewest
 * words, because a reader sees such an error at once. If lines have no verdict but changes, the one with the largest,
 * and of equal ones the one with the fewest changed words.
 */
export function clearest(lines: readonly Line[]): Line | undefined {
  const wrong = lines.filter(({ verdict }) => verdict === 'wrong');
  const large = largest(wrong.map(sizeOf)) / 2;
  const ranks = lines
    .filter((line) => line.verdict !== 'wrong' || sizeOf(line) >= large)
    .filter(({ verdict, delta }) => verdict === 'wrong' || (verdict === 'none' && delta !== undefined))
    .map((line) => {
      const rank = line.verdict === 'wrong' ? [0, 0] : [1, -Math.abs(line.delta!)];
      return { line, rank: [...rank, changedWords(line)] };
    });
  return ranks.reduce<(typeof ranks)[number] | undefined>((least, each) => {
    const at = each.rank.findIndex((value, i) => value !== least?.rank[i]);
    return least === undefined || (at >= 0 && each.rank[at] < least.rank[at]) ? each : least;
  }, undefined)?.line;
}

/** Whether a wrong line may be none: another caption of the image says its new word, or a person rejected the variant. */
export function isDoubted({ index }: Pick<Line, 'index'>, judged: readonly JudgedLine[] | null): boolean {
  const own = judged?.find((line) => line.index === index);
  return own?.perhaps !== undefined || own?.votes.some(({ picked }) => picked === 'rejected') === true;
}

const sizeOf = ({ delta = 0 }: Line): number => Math.abs(delta);

function changedWords({ before, after }: Line): number {
  const pieces = diffWords(before, after);
  return [...pieces.before, ...pieces.after]
    .filter(({ changed }) => changed)
    .reduce((sum, { text }) => sum + text.trim().split(/\s+/).length, 0);
}
