/** Estimates the mean of a known value over the units that people accept (prediction-powered inference). */
import { say } from '../../base/say';
import { isDefined, notDefined, type Outcome } from '../outcome';
import { stratifiedMean, type StratifiedMean, type Unit } from './stratified';

/** A unit with a known value. A labelled unit has the label 1 (accepted) or 0 (rejected). */
export interface ValuedUnit extends Unit {
  value: number;
}

const mostSteps = 50;

/**
 * The mean value of the accepted units: the root of E[label · (value − θ)] = 0, by Newton's method.
 * `stratifiedMean` estimates the expectation, with value − θ as the score that predicts label · (value − θ).
 */
export function stratifiedRatio(units: readonly ValuedUnit[], level = 0.95): Outcome<StratifiedMean> {
  const accepted = stratifiedMean(
    units.map((unit) => ({ ...unit, score: 0 })),
    level,
  );
  if (!isDefined(accepted)) return accepted;
  const share = accepted.labelsOnly.estimate;
  if (share <= 0) return notDefined(say('stats.noVariantAccepted'));
  const labelsOnly = around(units, 0, share, level);
  if (!isDefined(labelsOnly)) return labelsOnly;
  const whole = around(units, undefined, share, level);
  if (!isDefined(whole)) return whole;
  const { estimate, low, high } = labelsOnly;
  return { ...whole, labelsOnly: { estimate, low, high, level } };
}

/** Solves the equation without scores (`weight` 0), or with the weight that gives the shortest interval. */
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
  if (term === undefined) return notDefined(say('stats.noUnits'));
  return {
    ...term,
    estimate: theta,
    low: theta + (term.low - term.estimate) / share,
    high: theta + (term.high - term.estimate) / share,
    standardError: term.standardError / share,
  };
}
