/* What the accuracy of an evaluator says beside the best model without the image. */
import { entryOf } from '../../../base/entryOf';
import { say, type Words } from '../../../base/say';
import { intervalOf, percent, percents, rateClaim, type Side } from '../../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  shareTestOf,
  type Tested,
} from '../../claimFamily';
import { differenceTest } from '../../inference/difference';
import type { Metric, Claim } from '../../metric';
import { wholeMetric } from '../../view';
import { baselineNames } from '../blind/names';

/** The verdict on an accuracy against chance, and the one against the best baseline. Both are one family. */
export function claimsBesideBlind(
  metrics: readonly Metric[],
  id: string,
  chance: number,
  words: Record<Side, Words>,
): Claim[] {
  const [rate, gain] = [shareTestOf(metrics, id, chance), gainTest(metrics, id)];
  if (rate === undefined || gain === undefined) return rateClaim(metrics, id, chance, words);
  const [first, second] = adjustedTogether([rate, gain]);
  const family = { isSupported: isSupported(first), rule: adjustedWords(first) };
  return [...rateClaim(metrics, id, chance, words, family), ...gainClaims(metrics, id, second)];
}

/** The test of an accuracy against the best baseline. Undefined without such a baseline. */
export function gainTest(metrics: readonly Metric[], id: string): Tested | undefined {
  return differenceTest(metrics, `${id}.blind.gain`);
}

/** Whether the evaluator or the best baseline is right more often. No verdict if the test does not decide. */
export function gainClaims(metrics: readonly Metric[], id: string, own: Adjusted<Tested>): Claim[] {
  const blind = wholeMetric(metrics, `${id}.blind`);
  const interval = intervalOf(metrics, `${id}.blind.gain`);
  const name = entryOf(baselineNames, blind?.kind ?? '');
  const value = blind?.value;
  if (!isSupported(own) || interval === undefined || name === undefined || typeof value !== 'number')
    return [];
  const values = [name, percent(value)];
  return [
    {
      text:
        interval[0] > 0
          ? say('benchmark.beyondBlindClaim', ...values)
          : say('benchmark.belowBlindClaim', ...values),
      rule: say('benchmark.besideRule', id, `${id}.blind`, percents(interval), adjustedWords(own)),
    },
  ];
}
