import type { CalibratedFamily, Estimator } from '../../../evaluator/calibration';
import type { Metric } from '../../metric';
import type { Axis } from '../row';

export const weightings = ['uniform', 'sensitivity'] as const;
export type Weighting = (typeof weightings)[number];

export interface CalibrateOptions {
  estimator: Estimator;
  weights: Weighting;
  /** The largest accepted drop of Spearman's ρ with a reference. */
  epsilon: number;
  /** The share of images for choosing λ. The others measure the effect. */
  dev: number;
  seed: number;
  /** The length of the evaluator's range. Without it, flip risks are not measured. */
  width?: number;
  /**
   * `rows` also counts orbits of words and moved objects, which only a report's rows contain. The default
   * counts the orbits that a saved evaluator can correct.
   */
  orbits?: 'rows';
  /** The quantile of an orbit's changes that the literal estimator subtracts. The default is the median. */
  quantile?: number;
  /** Whether to measure each family's intervals and flip risks, and the best λ on the held-out images. */
  byFamily?: boolean;
}

/** Another evaluator's scores of the same captions, by `keyOfRow`. */
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
  /** Intervals of `before` and `after` over images. Present only with `byFamily`. */
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
  /** The sum of all families' medians. */
  total: {
    before: number;
    after: number;
    /** The interval of after − before over images. Present only if flip risks are measured. */
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
  /** Each family's RRF on the held-out images; present only with `byFamily`. */
  familyRrf?: FamilyRisk[];
  /** The best λ for the held-out images: an upper bound, not a result. */
  oracle?: { lambda: number; total: number };
  /** The results as sentences. */
  words: string[];
}
