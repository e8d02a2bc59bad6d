/** For the two-sided paired t-test: its power, the smallest detectable effect, and the number of images needed. */
import { studentQuantile } from '../distributions';
import { logGamma } from '../special';
import { normalCdf } from '../normal';
import { openUnit } from '../outcome';

export interface PowerOptions {
  /** The default is 0.05. */
  alpha?: number;
  /** The default is 0.8. */
  power?: number;
}

/** The limit of the search. */
const mostImages = 100_000_000;

/** The power of the test on n images. `effect` is the true mean difference in standard deviations. */
export function powerOfT(effect: number, n: number, alpha = 0.05): number {
  openUnit(alpha, 'The level');
  if (!Number.isSafeInteger(n) || n < 2) throw new RangeError(`The number of images is ${n}, not 2 or more.`);
  const degrees = n - 1;
  const critical = studentQuantile(1 - alpha / 2, degrees);
  const shift = Math.abs(effect) * Math.sqrt(n);
  return overChi(degrees, (s) => normalCdf(shift - critical * s) + normalCdf(-shift - critical * s));
}

/** The expectation of a function of sqrt(χ²/degrees), by Simpson's rule over almost all of the probability. */
function overChi(degrees: number, of: (s: number) => number): number {
  const spread = Math.min(1, 9 / Math.sqrt(2 * degrees));
  const [low, high] = [Math.max(0, 1 - spread), degrees < 40 ? 1 + 9 / Math.sqrt(degrees) : 1 + spread];
  const steps = 2000;
  const width = (high - low) / steps;
  const scale = Math.log(2) + (degrees / 2) * Math.log(degrees / 2) - logGamma(degrees / 2);
  let total = 0;
  for (let i = 0; i <= steps; i++) {
    const s = low + i * width;
    const density =
      s === 0
        ? degrees === 1
          ? Math.exp(scale)
          : 0
        : Math.exp(scale + (degrees - 1) * Math.log(s) - (degrees * s * s) / 2);
    total += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * density * of(s);
  }
  return Math.min(1, (total * width) / 3);
}

/** The smallest true difference, in standard deviations, that n images detect with this power. */
export function detectableEffect(n: number, { alpha = 0.05, power = 0.8 }: PowerOptions = {}): number {
  openUnit(power, 'The power');
  let [low, high] = [0, 1];
  while (powerOfT(high, n, alpha) < power) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (powerOfT(middle, n, alpha) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** The smallest number of images with this power; undefined if the search exceeds its limit or the effect is 0. */
export function imagesNeeded(
  effect: number,
  { alpha = 0.05, power = 0.8 }: PowerOptions = {},
): number | undefined {
  openUnit(power, 'The power');
  if (!(Math.abs(effect) > 0)) return undefined;
  let [low, high] = [1, 2];
  while (powerOfT(effect, high, alpha) < power) {
    if (high === mostImages) return undefined;
    low = high;
    high = Math.min(2 * high, mostImages);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (powerOfT(effect, middle, alpha) < power) low = middle;
    else high = middle;
  }
  return high;
}
