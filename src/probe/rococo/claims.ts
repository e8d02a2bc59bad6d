import { say, type Words } from '../../base/say';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

export function rococoClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...claim(metrics, 'rococo.i2t', {
      above: say`Altered captions mislead it: they come first in more than 5 % of searches.`,
      across: say`There are too few searches to tell whether altered captions mislead it.`,
      below: say`Altered captions rarely come first.`,
    }),
    ...claim(metrics, 'rococo.t2i', {
      above: say`Altered images mislead it: they come first in more than 5 % of searches.`,
      across: say`There are too few searches to tell whether altered images mislead it.`,
      below: say`Altered images rarely come first.`,
    }),
    ...textClaim(metrics),
  ];
}

/** Verdicts say whether an altered entry comes first in more than this share of the searches. */
const few = 0.05;

function claim(metrics: readonly Metric[], id: string, words: Record<Side, Words>): Claim[] {
  const interval = intervalOf(metrics, `${id}.rsms`);
  if (interval === undefined) return [];
  const side = against(interval, few);
  return [
    {
      text: words[side],
      rule: lies(`${id}.rsms`, percents(interval), side, percent(few)),
    },
  ];
}

function textClaim(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'rococo.text.closer');
  if (interval === undefined) return [];
  const side = against(interval, 0.5);
  const words = {
    above: say`For most captions, the altered caption is closer than every other caption of the same image.`,
    across: say`The data do not show which is usually closer to a caption: its altered version or another caption of the same image.`,
    below: say`For most captions, another caption of the same image is closer than the altered caption.`,
  };
  return [
    {
      text: words[side],
      rule: lies('rococo.text.closer', percents(interval), side, percent(0.5)),
    },
  ];
}
