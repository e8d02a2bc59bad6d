/** Estimates a mean label from the scores of all units and a stratified sample of labels (prediction-powered). */
import { say } from '../../base/say';
import type { Interval } from '../bootstrap';
import { studentQuantile } from '../distributions';
import { notDefined, openUnit, type Outcome } from '../outcome';
import { mean } from '../summary';

/** A member of the population. Only labelled members have a `label`. */
export interface Unit {
  stratum: string;
  cluster: string;
  score: number;
  label?: number;
}

export interface StratifiedMean extends Interval {
  standardError: number;
  /** The weight of the scores. It also converts the scores to the scale of the labels. */
  lambda: number;
  labelsOnly: Interval;
  labels: number;
  units: number;
}

interface Stratum {
  weight: number;
  labelled: Unit[];
  rest: Unit[];
}

/**
 * The mean label of all units, by PPI++ (Angelopoulos et al. 2023) per stratum. Each stratum needs two
 * labels. `lambda` makes the interval shortest and may exceed 1.
 */
export function stratifiedMean(units: readonly Unit[], level = 0.95): Outcome<StratifiedMean> {
  openUnit(level, 'The level');
  const strata = strataOf(units);
  if (strata.some(({ labelled }) => labelled.length < 2)) return notDefined(say('stats.stratumNeedsLabels'));
  const labelled = strata.flatMap((stratum) => stratum.labelled);
  const clustered = new Set(labelled.map(({ cluster }) => cluster)).size;
  const degrees = Math.min(clustered - 1, labelled.length - strata.length);
  if (degrees < 1) return notDefined(say('stats.labelsNeedImages'));

  // How much each image's labels and scores change the estimate.
  const byLabels = new Map<string, number>();
  const byScores = new Map<string, number>();
  let labelMean = 0;
  let scoreMean = 0;
  for (const { weight, labelled: own, rest } of strata) {
    labelMean += weight * mean(own.map(labelOf));
    influence(byLabels, own, labelOf, weight);
    if (rest.length === 0) continue;
    scoreMean += weight * (mean(rest.map(scoreOf)) - mean(own.map(scoreOf)));
    influence(byScores, own, scoreOf, -weight);
    influence(byScores, rest, scoreOf, weight);
  }
  const clusters = [...new Set([...byLabels.keys(), ...byScores.keys()])];
  const [y, f] = [byLabels, byScores].map((own) => clusters.map((cluster) => own.get(cluster) ?? 0));
  const spread = lengthOf(f) ** 2;
  const lambda = spread === 0 ? 0 : -f.reduce((sum, one, i) => sum + one * y[i], 0) / spread;
  const reach = studentQuantile((1 + level) / 2, degrees);
  const around = (estimate: number, error: number): Interval => ({
    estimate,
    low: estimate - reach * error,
    high: estimate + reach * error,
    level,
  });
  const standardError = lengthOf(y.map((one, i) => one + lambda * f[i]));
  return {
    ...around(labelMean + lambda * scoreMean, standardError),
    standardError,
    lambda,
    labelsOnly: around(labelMean, lengthOf(y)),
    labels: labelled.length,
    units: units.length,
  };
}

function lengthOf(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, one) => sum + one ** 2, 0));
}

function strataOf(units: readonly Unit[]): Stratum[] {
  const byName = new Map<string, Unit[]>();
  for (const unit of units) {
    const own = byName.get(unit.stratum) ?? [];
    own.push(unit);
    byName.set(unit.stratum, own);
  }
  return [...byName.values()].map((own) => ({
    weight: own.length / units.length,
    labelled: own.filter(({ label }) => label !== undefined),
    rest: own.filter(({ label }) => label === undefined),
  }));
}

function labelOf({ label }: Unit): number {
  return label ?? NaN;
}

function scoreOf({ score }: Unit): number {
  return score;
}

/** Adds each unit's weighted deviation from the mean to its cluster, with a correction for small samples. */
function influence(
  into: Map<string, number>,
  units: readonly Unit[],
  of: (unit: Unit) => number,
  weight: number,
): void {
  const n = units.length;
  const centre = mean(units.map(of));
  const factor = n < 2 ? 0 : (weight / n) * Math.sqrt(n / (n - 1));
  for (const unit of units)
    into.set(unit.cluster, (into.get(unit.cluster) ?? 0) + factor * (of(unit) - centre));
}
