import type { Line } from '../../src/protocol/rows';
import { diffWords } from '../base/diff';

/**
 * The wrong line whose captions differ in the fewest words, because a reader sees such an error at once. If lines have
 * no verdict, the one of them with the fewest changed words.
 */
export function clearest(lines: readonly Line[]): Line | undefined {
  const sizes = lines
    .filter(({ verdict }) => verdict === 'wrong' || verdict === 'none')
    .map((line) => ({ line, size: [line.verdict === 'wrong' ? 0 : 1, changedWords(line)] }));
  return sizes.reduce<(typeof sizes)[number] | undefined>((least, each) => {
    const difference =
      least === undefined ? -1 : each.size[0] - least.size[0] || each.size[1] - least.size[1];
    return difference < 0 ? each : least;
  }, undefined)?.line;
}

function changedWords({ before, after }: Line): number {
  const pieces = diffWords(before, after);
  return [...pieces.before, ...pieces.after]
    .filter(({ changed }) => changed)
    .reduce((sum, { text }) => sum + text.trim().split(/\s+/).length, 0);
}
