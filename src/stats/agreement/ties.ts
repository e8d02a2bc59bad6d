import { say } from '../../base/say';
import { ascendingOrder } from '../order';
import { notDefined, type Outcome } from '../outcome';

/** Two items of one group, with the differences of their scores and of their ratings. */
export interface RatedPair {
  metric: number;
  people: number;
}

/**
 * Whether the metric orders a pair as people do. Scores that differ by at most `epsilon` are a tie. A tie is right
 * if people also see a tie.
 */
export function ordersAlike({ metric, people }: RatedPair, epsilon: number): boolean {
  if (Math.abs(metric) <= epsilon) return people === 0;
  return Math.sign(metric) === Math.sign(people);
}

/** Tie calibration (Deutsch, Foster and Freitag 2023): the smallest threshold of the best accuracy. */
export function calibrateTies(pairs: readonly RatedPair[]): Outcome<{ epsilon: number; accuracy: number }> {
  if (pairs.length === 0) return notDefined(say('stats.noPairs'));
  const gaps = Float64Array.from(pairs, ({ metric }) => Math.abs(metric));
  const order = ascendingOrder(gaps);
  let right = pairs.filter((pair) => ordersAlike(pair, 0)).length;
  let best = { epsilon: 0, right };
  let at = gaps.filter((gap) => gap === 0).length;
  while (at < order.length) {
    const epsilon = gaps[order[at]];
    for (; at < order.length && gaps[order[at]] === epsilon; at++) {
      const pair = pairs[order[at]];
      if (pair.people === 0) right++;
      else if (ordersAlike(pair, 0)) right--;
    }
    if (right > best.right) best = { epsilon, right };
  }
  return { epsilon: best.epsilon, accuracy: best.right / pairs.length };
}
