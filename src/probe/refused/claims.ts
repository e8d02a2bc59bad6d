import { say } from '../../base/say';
import { percent, percents } from '../claim';
import { adjustedTogether, adjustedWords, isSupported } from '../claimFamily';
import { differenceTest } from '../inference/difference';
import { leastImages } from '../../stats/decisions/smallSample';
import { imagesOf, type Metric, metricOf, type Claim } from '../metric';

/** Whether an evaluator refuses some groups of images more than others. All groups of a report are one family. */
export function refusedClaims(metrics: readonly Metric[]): Claim[] {
  const tested = metrics.flatMap((metric) => {
    const { id, slice, value, ci } = metric;
    const test = id === 'refused.difference' ? differenceTest(metrics, id, slice) : undefined;
    const share = metricOf(metrics, 'refused', slice);
    if (
      test === undefined ||
      share === undefined ||
      slice === undefined ||
      value === null ||
      ci === undefined
    )
      return [];
    const own = imagesOf(share);
    const isLarge = Math.min(own, imagesOf(metric) - own) >= leastImages;
    return isLarge ? [{ ...test, slice, value, ci, share: share.value ?? 0 }] : [];
  });
  return adjustedTogether(tested)
    .filter(isSupported)
    .map((one) => {
      const { slice, value, ci, share } = one;
      const [[column, group]] = Object.entries(slice);
      return {
        text:
          value > 0
            ? say('refused.groupRefusedMore', column, String(group))
            : say('refused.groupRefusedLess', column, String(group)),
        rule: say('refused.groupRule', percent(share), percent(value), percents(ci), adjustedWords(one)),
      };
    });
}

/** The metrics of refusals, which rows do not contain. */
export function refusedIn(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ id }) => id === 'refused' || id.startsWith('refused.'));
}
