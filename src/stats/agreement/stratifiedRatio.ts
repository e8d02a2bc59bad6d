/** Prediction-powered inference for the mean of a known value over those units that people accept. */
import { isDefined, notDefined, type Outcome } from '../outcome';
import { stratifiedMean, type StratifiedMean, type Unit } from './stratified';

/** A unit with a value that is known for all, and a label of 1 (accepted) or 0 that is known for a sample. */
export interface ValuedUnit extends Unit {
  value: number;
}

const mostSteps = 50;

/**
 * The mean value of the accepted units, from the estimating equation E[label · (value − θ)] = 0. Its mean is
 * estimated by `stratifiedMean`, where value − θ predicts each term, and its root is found by Newton's method.
 */
export function stratifiedRatio(units: readonly ValuedUnit[], level = 0.95): Outcome<StratifiedMean> {
  const accepted = stratifiedMean(
    units.map((unit) => ({ ...unit, score: 0 })),
    level,
  );
  if (!isDefined(accepted)) return accepted;
  const share = accepted.labelsOnly.estimate;
  if (share <= 0) return notDefined('people accept none of the labelled variants');
  const labelsOnly = around(units, 0, share, level);
  if (!isDefined(labelsOnly)) return labelsOnly;
  const whole = around(units, undefined, share, level);
  if (!isDefined(whole)) return whole;
  const { estimate, low, high } = labelsOnly;
  return { ...whole, labelsOnly: { estimate, low, high, level } };
}

/** Solves the equation with a weight of the scores, or with the one that gives the shortest interval. */
function around(
  units: readonly ValuedUnit[],
  weight: 0 | undefined,
  share: number,
  level: number,
): Outcome<StratifiedMean> {
  let theta = 0;
  let term: StratifiedMean | undefined;
  for (let step = 0; step < mostSteps; step++) {
    const found = stratifiedMean(
      units.map(({ value, label, ...unit }) => ({
        ...unit,
        score: weight === 0 ? 0 : value - theta,
        ...(label === undefined ? {} : { label: label * (value - theta) }),
      })),
      level,
    );
    if (!isDefined(found)) return found;
    term = found;
    const move = found.estimate / share;
    theta += move;
    if (Math.abs(move) <= 1e-13 * Math.max(1, Math.abs(theta))) break;
  }
  if (term === undefined) return notDefined('there are no units');
  return {
    ...term,
    estimate: theta,
    low: theta + (term.low - term.estimate) / share,
    high: theta + (term.high - term.estimate) / share,
    standardError: term.standardError / share,
  };
}
