import type { Share } from '../probe';
import { isError, type LongRow } from './row';

/** What a caption contributes to the metrics that are means over errors or edits. Each has a text of its own. */
export function longShares({ variants }: LongRow): Share[] {
  return variants.flatMap((variant): Share[] => {
    const { kind, delta, text } = variant;
    if (!isError(variant))
      return kind === 'repeat'
        ? [{ metric: 'long.repeat', variant: text, value: delta, better: 'lower' }]
        : [];
    const value = delta < 0 ? 1 : 0;
    return [
      { metric: 'long.pr', variant: text, value, better: 'higher' },
      { metric: `long.pr.position.${variant.decile}`, variant: text, value, better: 'higher' },
    ];
  });
}
