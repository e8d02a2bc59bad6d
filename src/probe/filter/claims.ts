import { say, together, type Words } from '../../base/say';
import { intervalOf, percents } from '../claim';
import { type Metric, metricOf, type Slice, type Claim } from '../metric';

/**
 * How many decisions of a filter are reversed, for each percentage whose interval lies above what one image can account
 * for: the threshold is the score of a caption, whose decisions any smaller score reverses, however small the change.
 */
export function keepFlipsClaims(
  metrics: readonly Metric[],
  probe: string,
  words: (percent: string, range: string, unrelated: string) => Words,
  { slice, scope }: { slice?: Slice; scope?: Words } = {},
): Claim[] {
  const within = Object.entries(slice ?? {}).map(([name, value]) =>
    say('filter.onlySlice', name, String(value)),
  );
  return metrics.flatMap((metric) => {
    const percent = new RegExp(`^${probe}\\.keepFlips@(\\d+)$`).exec(metric.id)?.[1];
    if (percent === undefined || metric !== metricOf(metrics, metric.id, slice)) return [];
    const interval = intervalOf(metrics, metric.id, slice);
    if (interval === undefined || !(interval[0] > 1 / (metric.images ?? metric.n))) return [];
    const [low, high] = interval.map((end) => (end * 100).toFixed(1));
    const kept = Number(percent) / 100;
    return [
      {
        text: words(percent, `${low}–${high}`, (200 * kept * (1 - kept)).toFixed(0)),
        rule: together(say('filter.reversedRule', metric.id, percents(interval)), ...within, scope),
      },
    ];
  });
}
