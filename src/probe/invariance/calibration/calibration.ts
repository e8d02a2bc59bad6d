import type { CalibratedFamily, Estimator } from '../../../evaluator/calibration';
import type { Metric } from '../../metric';
import type { Axis } from '../row';

export const weightings = ['uniform', 'sensitivity'] as const;
export type Weighting = (typeof weightings)[number];

export interface CalibrateOptions {
  estimator: Estimator;
  weights: Weighting;
  /** How much of Spearman's ρ with a reference may be lost. */
  epsilon: number;
  /** Share of the photos that λ is chosen on; the rest only tells how well that went. */
  dev: number;
  seed: number;
  /** Length of the evaluator's range; absent: no risk of flips is measured, which takes its time. */
  width?: number;
}

/** What another evaluator says of the same captions, by `keyOfRow`. */
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
    /** Of after − before, over photos; where a risk of flips is measured, too. */
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
  /** What the figures mean. */
  words: string[];
}
