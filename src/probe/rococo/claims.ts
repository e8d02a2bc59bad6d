import { against, intervalOf, percent, percents } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

export function rococoClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...claim(metrics, 'rococo.i2t', 'captions'),
    ...claim(metrics, 'rococo.t2i', 'images'),
    ...textClaim(metrics),
  ];
}

/** For this verdict, altered entries may be first in at most this share of searches. */
const few = 0.05;

function claim(metrics: readonly Metric[], id: string, what: string): Claim[] {
  const interval = intervalOf(metrics, `${id}.rsms`);
  if (interval === undefined) return [];
  const side = against(interval, few);
  const words = {
    above: `Altered ${what} mislead it: they come first in more than 5 % of searches.`,
    across: `There are too few searches to tell whether altered ${what} mislead it.`,
    below: `Altered ${what} rarely come first.`,
  };
  return [
    {
      text: words[side],
      rule: `The 95 % interval of ${id}.rsms, ${percents(interval)}, lies ${side} ${percent(few)}.`,
    },
  ];
}

function textClaim(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'rococo.text.closer');
  if (interval === undefined) return [];
  const side = against(interval, 0.5);
  const words = {
    above: 'Between captions, wording counts more than meaning.',
    across: 'Between captions, one changed word counts as much as a rewording.',
    below: 'Between captions, a rewording mostly counts less than one changed word.',
  };
  return [
    {
      text: words[side],
      rule: `The 95 % interval of rococo.text.closer, ${percents(interval)}, lies ${side} ${percent(0.5)}.`,
    },
  ];
}
