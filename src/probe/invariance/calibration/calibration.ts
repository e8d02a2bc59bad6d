import type { CalibratedFamily, Estimator } from '../../../evaluator/calibration';
import type { Metric } from '../../metric';
import type { Axis } from '../row';

export const weightings = ['uniform', 'sensitivity'] as const;
export type Weighting = (typeof weightings)[number];

export interface CalibrateOptions {
  estimator: Estimator;
  weights: Weighting;
  /** The largest accepted drop of Spearman's ρ between the evaluator and a reference evaluator. */
  epsilon: number;
  /** The share of images for choosing λ. The other images are held out to measure its effect. */
  dev: number;
  seed: number;
  /** The length of the evaluator's range of scores. If it is undefined, flip risks are not measured. */
  width?: number;
  /**
   * With `rows`, orbits also include the changed words and moved objects of a report's rows. By default, orbits have
   * only the image changes that a saved evaluator can compute.
   */
  orbits?: 'rows';
  /** The quantile of an orbit's changes that the estimator `literal` subtracts. The default is the median. */
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
  /** The median size of the changes, before calibration (`before`) and after calibration (`after`). */
  before: number;
  after: number;
  /** Intervals of `before` and `after` over images. Present only with `byFamily`. */
  beforeCi?: readonly [number, number];
  afterCi?: readonly [number, number];
}

/** The RRF (flip risk) of a family, for two systems that differ by 0.7 % of the range. */
export interface FamilyRisk {
  family: string;
  axis: Axis;
  before: Metric;
  after: Metric;
}

export interface PartFigures {
  images: number;
  families: FamilyFigures[];
  /** The sums of `before` and of `after` over all families. */
  total: {
    before: number;
    after: number;
    /** The interval of `after` − `before`. Absent without `width`, at λ = 0, or if the bootstrap fails. */
    ci?: readonly [number, number];
  };
  /** The RRF (flip risk) by axis, for two systems that differ by 0.7 % of the range. */
  rrf: { axis: Axis; before: Metric; after: Metric }[];
  /** Spearman's ρ of the evaluator's scores with the scores of each reference evaluator. */
  agreement: { reference: string; n: number; before: number | null; after: number | null }[];
}

interface SweepStep {
  total: number;
  agreement: (number | null)[];
}

/** How scores differ between image files and their changed copies, which no longer say how they were changed. */
export type PlainFigures = Pick<PartFigures, 'images' | 'families' | 'total'>;

/** Images that were changed and saved as files before the corrected evaluator read them. `dev` chooses the estimator. */
export interface Plain {
  dev: PlainFigures;
  heldOut: PlainFigures;
}

export interface Calibration {
  options: CalibrateOptions;
  lambda: number;
  families: CalibratedFamily[];
  /** What chose λ on the images for fitting. `heldOut` has the same of the other images, which chose nothing. */
  sweep: (SweepStep & { lambda: number; allowed: boolean; heldOut: SweepStep })[];
  dev: PartFigures;
  heldOut: PartFigures;
  plain?: Plain;
  /** Each family's RRF on the held-out images; present only with `byFamily`. */
  familyRrf?: FamilyRisk[];
  /** The λ with the smallest total on the held-out images: not a result, only the best possible choice. */
  oracle?: { lambda: number; total: number };
  /** The results as sentences. */
  words: string[];
}
