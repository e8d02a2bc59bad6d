/**
 * A confidence sequence for a bounded mean by betting (Waudby-Smith and Ramdas, 2024, hedged capital). It is valid
 * at all sample sizes together, so a growing sample can be tested repeatedly.
 */
import { say } from '../../base/say';
import type { Interval } from '../bootstrap';
import { finite, isDefined, notDefined, openUnit, type Outcome } from '../outcome';
import { mean } from '../summary';

export interface AnytimeTest extends Interval {
  /** The two-sided p value for a mean of zero. The interval excludes zero exactly if p is at most 1 − level. */
  pValue: number;
}

export interface Bounds {
  low: number;
  high: number;
}

/** The largest stake: the share of the capital that one value can lose. */
const boldest = 0.5;

/** Tests the mean of values in their order. The interval is the intersection over all sample sizes. */
export function anytimeMean(
  values: ArrayLike<number>,
  { low, high }: Bounds,
  level = 0.95,
): Outcome<AnytimeTest> {
  openUnit(level, 'The level');
  const raw = finite(values);
  if (!(low < 0 && high > 0)) throw new RangeError(`The bounds ${low} and ${high} do not contain zero.`);
  if (raw.length === 0) return notDefined(say('stats.noValues'));
  if (raw.some((value) => value < low || value > high))
    throw new RangeError(`A value is outside its bounds, ${low} and ${high}.`);
  const width = high - low;
  const x = raw.map((value) => (value - low) / width);
  const alpha = 1 - level;
  const stakes = stakesOf(x, alpha);
  const reach = Math.log(2 / alpha);
  const down = x.map((value) => 1 - value);
  const from = excludedBelow(x, stakes, reach);
  const to = 1 - excludedBelow(down, stakes, reach);
  const zero = -low / width;
  const most = Math.max(mostCapital(x, stakes, zero), mostCapital(down, stakes, 1 - zero));
  const estimate = mean(raw);
  return {
    estimate,
    low: low + from * width,
    high: low + to * width,
    level,
    pValue: Math.min(1, 2 * Math.exp(-most)),
  };
}

/** The predictable plug-in stakes. Each stake depends only on earlier values. */
function stakesOf(x: Float64Array, alpha: number): Float64Array {
  const stakes = new Float64Array(x.length);
  let [sum, squares] = [0.5, 0.25];
  for (let i = 0; i < x.length; i++) {
    const variance = squares / (i + 1);
    stakes[i] = Math.sqrt((2 * Math.log(2 / alpha)) / (variance * (i + 1) * Math.log(i + 2)));
    sum += x[i];
    const middle = sum / (i + 2);
    squares += (x[i] - middle) ** 2;
  }
  return stakes;
}

/** The largest log capital, over all sample sizes, of bets on a mean above m. */
function mostCapital(x: Float64Array, stakes: Float64Array, m: number): number {
  let [capital, most] = [0, 0];
  const cap = boldest / m;
  for (let i = 0; i < x.length; i++) {
    capital += Math.log1p(Math.min(stakes[i], cap) * (x[i] - m));
    if (capital > most) most = capital;
  }
  return most;
}

/** The largest m that the bets exclude. Bisection works, because the capital falls as m rises. */
function excludedBelow(x: Float64Array, stakes: Float64Array, reach: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (mostCapital(x, stakes, middle) >= reach) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The anytime test of the mean difference over images. The value of an image is the mean over its rows. The second
 * report determines the order of the images.
 */
export interface Anytime {
  images: number;
  difference: number;
  ci: [number, number];
  pValue: number;
}

/** The anytime test, which assumes only that differences of right or wrong results are between −1 and 1. */
export function anytimeDifference(values: Float64Array, clusters: readonly number[]): Anytime | undefined {
  const sums = new Map<number, { sum: number; n: number }>();
  for (const [i, value] of values.entries()) {
    const own = sums.get(clusters[i]);
    if (own === undefined) sums.set(clusters[i], { sum: value, n: 1 });
    else {
      own.sum += value;
      own.n++;
    }
  }
  const means = Array.from(sums.values(), ({ sum, n }) => sum / n);
  const test = anytimeMean(means, { low: -1, high: 1 });
  if (!isDefined(test)) return undefined;
  const { estimate, low, high, pValue } = test;
  return { images: means.length, difference: estimate, ci: [low, high], pValue };
}
