import { against, intervalOf, percent, percents } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

export function rococoClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...claim(metrics, 'rococo.i2t', 'captions'),
    ...claim(metrics, 'rococo.t2i', 'photos'),
    ...textClaim(metrics),
  ];
}

/** Threshold: in a search by meaning, altered entries rarely come first. */
const few = 0.05;

function claim(metrics: readonly Metric[], id: string, what: string): Claim[] {
  const interval = intervalOf(metrics, `${id}.rsms`);
  if (interval === undefined) return [];
  const side = against(interval, few);
  const words = {
    above: `It is taken in by altered ${what}: they come first more often than one time in twenty.`,
    across: `Whether altered ${what} take it in cannot be told from so few.`,
    below: `Altered ${what} seldom come first.`,
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
    above: 'Between captions, it goes by the words more than by what they say.',
    across: 'Between captions, one changed word weighs as much as another way of saying it.',
    below: 'Between captions, another way of saying it mostly weighs less than one changed word.',
  };
  return [
    {
      text: words[side],
      rule: `The 95 % interval of rococo.text.closer, ${percents(interval)}, lies ${side} ${percent(0.5)}.`,
    },
  ];
}
