import { say } from '../base/say';
import { studentTwoSided } from './distributions';
import { finite, notDefined, sameLength, type Outcome } from './outcome';
import { mean, standardDeviation } from './summary';

export interface TTest {
  statistic: number;
  /** The two-sided p value. */
  pValue: number;
  degrees: number;
  /** The mean of the values, before `against` is subtracted. */
  mean: number;
  standardError: number;
}

/** Tests whether a sample's mean equals a given value. */
export function tTest(values: ArrayLike<number>, against = 0): Outcome<TTest> {
  const x = finite(values);
  if (x.length < 2) return notDefined(say('stats.tooFewValues'));
  if (x.every((value) => value === x[0])) return notDefined(say('stats.valuesConstant'));
  const centre = mean(x);
  const standardError = standardDeviation(x) / Math.sqrt(x.length);
  const statistic = (centre - against) / standardError;
  const degrees = x.length - 1;
  return { statistic, pValue: studentTwoSided(statistic, degrees), degrees, mean: centre, standardError };
}

export function pairedTTest(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<TTest> {
  sameLength(a, b);
  const second = finite(b);
  return tTest(finite(a).map((value, i) => value - second[i]));
}
