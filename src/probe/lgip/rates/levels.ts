/** What LGIP's rates are compared with: guessing, a preference for some words, or for small numbers. */
import { inARow, say, type Words } from '../../../base/say';
import { sum } from '../../../stats/summary';
import { against, percents, type Side } from '../../claim';
import { pOfInterval, type Tested, testOf } from '../../claimFamily';
import { type Metric, metricOf } from '../../metric';
import { directions, directionSlice } from './direction';
import { fairLevel } from './fairLevel';
import { byWord } from './overWords';

/** Above this share of flips with the score of their caption, the verdict names the share. */
export const mostTied = 0.05;

interface Direction {
  name: Words;
  /** The interval of the rate, and its distance from the level of an evaluator that guesses. */
  ci: readonly [number, number];
  fair: number;
  value: number;
}

function ratesByDirection(metrics: readonly Metric[]): Direction[] {
  const names = { larger: say('lgip.toLarger'), smaller: say('lgip.toSmaller') };
  return directions.flatMap((direction) => {
    const slice = directionSlice(direction);
    const { ci, value = null } = metricOf(metrics, 'lgip.pr', slice) ?? {};
    const fair = fairLevel(metrics, 'lgip.pr', slice);
    return ci === undefined || value === null ? [] : [{ name: names[direction], ci, fair, value }];
  });
}

/** Whether flips to larger and to smaller numbers go opposite ways. */
export function goesBothWays(metrics: readonly Metric[]): boolean {
  const sides = ratesByDirection(metrics).map(({ ci, fair }) => against(ci, fair));
  return sides.includes('above') && sides.includes('below');
}

/**
 * The rates by direction, unless their mean lies on the side of the rate of all number flips. A preference for small or for
 * large numbers alone has a mean at chance level. The interval of the mean is combined from both (MOVER).
 */
export function preference(metrics: readonly Metric[], side: Side): Words | undefined {
  const knows = directions.some((one) => metricOf(metrics, 'lgip.pr', directionSlice(one)) !== undefined);
  const rates = ratesByDirection(metrics);
  const half = (end: 0 | 1) => Math.hypot(...rates.map(({ ci, value }) => (value - ci[end]) / 2));
  const middle = sum(rates.map(({ value, fair }) => (value - fair) / 2));
  if (!knows || (rates.length === 2 && against([middle - half(0), middle + half(1)], 0) === side))
    return undefined;
  const intervals = rates.map(({ name, ci }) => inARow([name, percents(ci)], ' '));
  return say('lgip.mixedRule', inARow(intervals, ', '));
}

/**
 * The p value of a type's metric against a level: the larger one with one observation per image and per replaced word, because a
 * word alone may raise or lower the score of every caption. It is 1 if the two lie on different sides.
 */
export function testOfType(metrics: readonly Metric[], id: string, level: number): Tested | undefined {
  const byImage = testOf(metrics, id, level);
  const words = metricOf(metrics, id, byWord);
  if (byImage === undefined || words === undefined) return byImage;
  const { value, ci, degrees } = words;
  const whole = metricOf(metrics, id)!.value!;
  if (ci === undefined || value === null || (value - level) * (whole - level) < 0) return { pValue: 1 };
  return { pValue: Math.max(byImage.pValue, pOfInterval(value, ci, level, degrees)) };
}

/** The intervals over replaced words, which a statement must agree with. */
export function wordsRule(
  of: readonly { id: string; name?: Words }[],
  metrics: readonly Metric[],
  shown = (_: string, interval: readonly [number, number]): string => percents(interval),
): Words | undefined {
  const intervals = of.flatMap(({ id, name = '' }) => {
    const words = metricOf(metrics, id, byWord);
    if (words === undefined) return [];
    const ends = words.ci === undefined ? say('lgip.tooFewWords') : shown(id, words.ci);
    return [name === '' ? ends : inARow([name, ends], ' ')];
  });
  return intervals.length === 0 ? undefined : say('lgip.wordsRule', inARow(intervals, ', '));
}
