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
  /** Share of the images that λ is fitted on; the rest measures the effect. */
  dev: number;
  seed: number;
  /** Length of the evaluator's range. Without it, no flip risk is measured, which saves time. */
  width?: number;
}

/** Scores of another evaluator for the same captions, by `keyOfRow`. */
export interface Reference {
  name: string;
  scores: ReadonlyMap<string, number>;
}

export interface FamilyFigures {
  family: string;
  axis: Axis;
  n: number;
  /** Median |Δ|, before and after. */
  before: number;
  after: number;
}

export interface PartFigures {
  photos: number;
  families: FamilyFigures[];
  /** Sums of the families' medians. */
  total: {
    before: number;
    after: number;
    /** Interval of after − before, over images; only if flip risks are measured too. */
    ci?: readonly [number, number];
  };
  /** By axis, at a gap of 0.7 % of the range. */
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
  /** The results in words. */
  words: string[];
}
