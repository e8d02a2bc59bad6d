import { largest, smallest } from '../../../src/base/extent';

/** If one evaluator's changes are this many times as large, its scores have another unit. */
const otherUnit = 20;

/** The changes that fill the bars of the evaluators: one for all, unless their scores have different units. */
export function commonReach(reach: readonly number[]): readonly number[] {
  const [least, most] = [smallest(reach), largest(reach)];
  return least > 0 && most <= otherUnit * least ? reach.map(() => most) : reach;
}
