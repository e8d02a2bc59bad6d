import type { CalibratedFamily, Estimator } from '../../../evaluator/calibration';
import type { Metric } from '../../metric';
import type { Axis } from '../row';

export const weightings = ['uniform', 'sensitivity'] as const;
export type Weighting = (typeof weightings)[number];

export interface CalibrateOptions {
  estimator: Estimator;
  weights: Weighting;
  /** How much Spearman's ρ with a reference may drop. */
  epsilon: number;
  /** The share of the images used to choose λ. The others measure the effect. */
  dev: number;
  seed: number;
  /** The length of the evaluator's range. Without it, flip risks are not measured, which saves time. */
  width?: number;
  /**
   * `rows` also counts the orbits of words and of moved objects, which are known only from a report's rows. By
   * default, only orbits (an item with its variants) that a saved evaluator can correct count.
   */
  orbits?: 'rows';
  /** Which quantile of an orbit's changes the literal estimator subtracts. The default is the median. */
  quantile?: number;
  /** Whether to measure intervals and flip risks of each family, and the best λ on the held-out images. */
  byFamily?: boolean;
}

/** The scores of another evaluator for the same captions, by `keyOfRow`. */
export interface Reference {
  name: string;
  scores: ReadonlyMap<string, number>;
}

export interface FamilyFigures {
  family: string;
  axis: Axis;
  n: number;
  /** The median |Δ| before and after calibration. */
  before: number;
  after: number;
  /** The intervals of `before` and `after` over images. Present only with `byFamily`. */
  beforeCi?: readonly [number, number];
  afterCi?: readonly [number, number];
}

/** The RRF of a family for a gap of 0.7 % of the range. */
export interface FamilyRisk {
  family: string;
  axis: Axis;
  before: Metric;
  after: Metric;
}

export interface PartFigures {
  photos: number;
  families: FamilyFigures[];
  /** The sum of the medians of all families. */
  total: {
    before: number;
    after: number;
    /** The interval of after − before, over images. Present only if flip risks are measured, too. */
    ci?: readonly [number, number];
  };
  /** The RRF by axis, for a gap of 0.7 % of the range. */
  rrf: { axis: Axis; before: Metric; after: Metric }[];
  /** Spearman's ρ with each reference. */
  agreement: { reference: string; n: number; before: number | null; after: number | null }[];
}

export interface Calibration {
  options: CalibrateOptions;
  lambda: number;
  families: CalibratedFamily[];
  sweep: { lambda: number; total: number; agreement: (number | null)[]; allowed: boolean }[];
  dev: PartFigures;
  heldOut: PartFigures;
  /** On the held-out images; present only with `byFamily`. */
  familyRrf?: FamilyRisk[];
  /** The best λ for the held-out images themselves. It gives an upper bound, not a result. */
  oracle?: { lambda: number; total: number };
  /** The results as sentences. */
  words: string[];
}
