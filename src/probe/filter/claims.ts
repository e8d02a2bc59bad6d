import { say, type Words } from '../../base/say';
import { intervalOf, percents } from '../claim';
import type { Metric } from '../metric';
import type { Claim } from '../probe';

/** How many decisions of a filter are reversed, for each percentage whose interval lies above zero. */
export function keepFlipsClaims(
  metrics: readonly Metric[],
  probe: string,
  words: (percent: string, range: string) => Words,
): Claim[] {
  return metrics.flatMap(({ id, slice }) => {
    const percent = new RegExp(`^${probe}\\.keepFlips@(\\d+)$`).exec(id)?.[1];
    const interval = slice === undefined && percent !== undefined ? intervalOf(metrics, id) : undefined;
    if (percent === undefined || interval === undefined || !(interval[0] > 0)) return [];
    const [low, high] = interval.map((end) => (end * 100).toFixed(1));
    return [
      {
        text: words(percent, `${low}–${high}`),
        rule: say('filter.reversedRule', id, percents(interval)),
      },
    ];
  });
}
