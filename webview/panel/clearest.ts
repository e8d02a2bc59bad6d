import type { Line } from '../../src/protocol/rows';
import { diffWords } from '../base/diff';

/** The wrong line whose captions differ in the fewest words, because a reader sees such an error at once. */
export function clearest(lines: readonly Line[]): Line | undefined {
  const sizes = lines
    .filter(({ verdict }) => verdict === 'wrong')
    .map((line) => ({ line, size: changedWords(line) }));
  return sizes.reduce<(typeof sizes)[number] | undefined>(
    (least, each) => (least === undefined || each.size < least.size ? each : least),
    undefined,
  )?.line;
}

function changedWords({ before, after }: Line): number {
  const pieces = diffWords(before, after);
  return [...pieces.before, ...pieces.after]
    .filter(({ changed }) => changed)
    .reduce((sum, { text }) => sum + text.trim().split(/\s+/).length, 0);
}
