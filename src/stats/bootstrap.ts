import { say } from '../base/say';
import type { Steps } from '../base/turns/steps';
import { numberClusters } from './clustering';
import { Draws } from './draws';
import { normalCdf, normalQuantile } from './normal';
import {
  count,
  finite,
  isDefined,
  notDefined,
  openUnit,
  sameLength,
  type NotDefined,
  type Outcome,
} from './outcome';
import { eachPicks } from './resampling/picks';
import { medianResampler, ratioResampler } from './resampling/resample';
import type { Resampler } from './resampling/resampler';
import { replicatesOfAll, type JointStatistics } from './resampling/joint';
import { rowsResampler } from './resampling/rows';
import { mean, quantileOfSorted, sum } from './summary';

/** The statistic with its data. A proportion is the mean of zeros and ones. */
export type Sample =
  | { statistic: 'mean'; values: ArrayLike<number> }
  | { statistic: 'median'; values: ArrayLike<number> }
  /** Σ values / Σ denominators. */
  | { statistic: 'ratio'; values: ArrayLike<number>; denominators: ArrayLike<number> }
  /**
   * Any other statistic of `rows` rows. The function receives the indices of the drawn rows with repeats. It
   * returns a finite number, or NaN if the statistic is undefined.
   */
  | { statistic: (rows: Uint32Array) => number; rows: number };

export interface BootstrapOptions {
  /** The cluster of each row. Resamples draw whole clusters. By default, each row is a cluster. */
  clusters?: ArrayLike<number | string>;
  /** The default is 10,000. */
  resamples?: number;
  /** The default is 0.95. */
  level?: number;
  /** The default is 2025. */
  seed?: number;
}

export type BootstrapInput = Sample & BootstrapOptions;

export interface Interval {
  estimate: number;
  low: number;
  high: number;
  level: number;
}

export interface BootstrapInterval extends Interval {
  resamples: number;
  /** The number of clusters, or the number of rows if there are no clusters. */
  clusters: number;
}

export interface BcaInterval extends BootstrapInterval {
  bias: number;
  acceleration: number;
}

function resampler(input: BootstrapInput): Resampler | NotDefined {
  const length = 'rows' in input ? count(input.rows, 'The number of rows') : input.values.length;
  if (length === 0) return notDefined(say('stats.noValues'));
  if (input.clusters !== undefined) sameLength({ length }, input.clusters);
  const clustering = input.clusters === undefined ? undefined : numberClusters(input.clusters);
  if ((clustering?.count ?? length) === 1)
    return notDefined(clustering === undefined ? say('stats.singleValue') : say('inference.oneCluster'));
  if ('rows' in input) return rowsResampler(length, input.statistic, clustering);
  const values = finite(input.values);
  if (input.statistic === 'median') return medianResampler(values, clustering);
  if (input.statistic === 'mean') return ratioResampler(values, new Float64Array(length).fill(1), clustering);
  const denominators = finite(input.denominators, 'Denominator');
  sameLength(values, denominators);
  return ratioResampler(values, denominators, clustering);
}

interface Drawn {
  from: Pick<Resampler, 'estimate' | 'clusters'>;
  /** The replicates in ascending order. */
  replicates: Float64Array;
  level: number;
}

type Drawing = Required<Pick<BootstrapOptions, 'resamples' | 'level' | 'seed'>>;

function drawingOf({ resamples = 10_000, level = 0.95, seed = 2025 }: BootstrapOptions): Drawing {
  if (!Number.isSafeInteger(resamples) || resamples < 2)
    throw new RangeError(`The number of resamples is ${resamples}, not a whole number of 2 or more.`);
  openUnit(level, 'The level');
  return { resamples, level, seed };
}

function drawn(
  from: Drawn['from'],
  replicates: Float64Array,
  { resamples, level }: Drawing,
): Drawn | NotDefined {
  const undefinedOnes = replicates.reduce((sum, value) => (Number.isFinite(value) ? sum : sum + 1), 0);
  if (undefinedOnes > 0) return notDefined(say('stats.resamplesUndefined', undefinedOnes, resamples));
  return { from, replicates: replicates.sort(), level };
}

/** About how many clusters are drawn between two steps. A draw takes at most about as long as all its clusters. */
const mostInStep = 1 << 16;

function* replicatesOf(
  { draw, ofPicks, ofAll, clusters, work }: Resampler,
  { resamples, seed }: Drawing,
): Steps<Float64Array> {
  if (ofAll !== undefined) return yield* ofAll(seed, resamples);
  const replicates = new Float64Array(resamples);
  if (ofPicks === undefined) {
    const draws = new Draws('bootstrap', seed);
    const inStep = Math.ceil(mostInStep / clusters);
    for (let i = 0; i < resamples; i++) {
      if (i % inStep === 0) yield;
      replicates[i] = draw(draws);
    }
    return replicates;
  }
  let done = 0;
  yield* eachPicks({ seed, clusters, resamples, work }, (picks, count) =>
    ofPicks(picks, replicates.subarray(done, (done += count))),
  );
  return replicates;
}

function described({ from, replicates, level }: Drawn): Omit<BootstrapInterval, 'low' | 'high'> {
  return { estimate: from.estimate, level, resamples: replicates.length, clusters: from.clusters };
}

/** The bias-corrected and accelerated interval (Efron 1987), accelerated by the jackknife over clusters. */
export function* bcaInterval(input: BootstrapInput): Steps<Outcome<BcaInterval>> {
  const drawing = drawingOf(input);
  const from = resampler(input);
  yield;
  if (!isDefined(from)) return from;
  if (!Number.isFinite(from.estimate)) return notDefined(say('stats.statisticUndefined'));
  const found = drawn(from, yield* replicatesOf(from, drawing), drawing);
  return isDefined(found) ? bcaOf(found, yield* from.jackknife()) : found;
}

function bcaOf(drawn: Drawn, jackknife: Float64Array): Outcome<BcaInterval> {
  const { from, replicates, level } = drawn;
  const interval = bcaFromReplicates(from.estimate, replicates, jackknife, level);
  return isDefined(interval) ? { ...described(drawn), ...interval } : interval;
}

/** The intervals of several statistics over the same resamples of clusters, in the order of the statistics. */
export function* bcaIntervals(
  statistics: JointStatistics,
  options: Omit<BootstrapOptions, 'clusters'>,
): Steps<Outcome<BcaInterval>[]> {
  const drawing = drawingOf(options);
  if (statistics.clusters < 2) {
    const reason = notDefined(
      statistics.clusters === 0 ? say('stats.noValues') : say('inference.oneCluster'),
    );
    return Array.from({ length: statistics.count }, () => reason);
  }
  const { clusters } = statistics;
  const { estimates, replicates, jackknives } = yield* replicatesOfAll(statistics, drawing);
  const intervals: Outcome<BcaInterval>[] = [];
  for (const [s, estimate] of estimates.entries()) {
    if (!Number.isFinite(estimate)) {
      intervals.push(notDefined(say('stats.statisticUndefined')));
      continue;
    }
    const found = drawn({ estimate, clusters }, replicates[s], drawing);
    intervals.push(isDefined(found) ? bcaOf(found, jackknives[s]) : found);
    yield;
  }
  return intervals;
}

const flat = 'every resample gives the same value';

/** The largest difference between replicates that rounding alone can cause. */
function rounding(ascending: Float64Array): number {
  return 1e-13 * Math.max(Math.abs(ascending[0]), Math.abs(ascending[ascending.length - 1]));
}

/** Applies the BCa formula to ascending `replicates`. `jackknife`: the change without each unit. */
export function bcaFromReplicates(
  estimate: number,
  replicates: Float64Array,
  jackknife: Float64Array,
  level: number,
): Outcome<Interval & { bias: number; acceleration: number }> {
  const slip = rounding(replicates);
  if (replicates[replicates.length - 1] - replicates[0] <= slip) return notDefined(flat);
  const acceleration = accelerationOf(jackknife, 1e-15 * Math.abs(estimate));
  if (!isDefined(acceleration)) return acceleration;
  let below = 0;
  let equal = 0;
  for (const value of replicates) {
    if (Math.abs(value - estimate) <= slip) equal++;
    else if (value < estimate) below++;
  }
  const share = (below + equal / 2) / replicates.length;
  if (share === 0 || share === 1) return notDefined(say('stats.resamplesOneSided'));
  const bias = normalQuantile(share);
  const tail = normalQuantile((1 + level) / 2);
  if (Math.abs(acceleration) * (Math.abs(bias) + tail) >= 1)
    return notDefined(say('stats.resamplesAsymmetric'));
  const moved = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)));
  return {
    estimate,
    low: quantileOfSorted(replicates, moved(-tail)),
    high: quantileOfSorted(replicates, moved(tail)),
    level,
    bias,
    acceleration,
  };
}

function accelerationOf(jackknife: Float64Array, slip: number): Outcome<number> {
  const missing = jackknife.findIndex((value) => !Number.isFinite(value));
  if (missing !== -1) return notDefined(say('stats.jackknifeUndefined'));
  const centre = mean(jackknife);
  const away = jackknife.map((value) => centre - value);
  const largest = away.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
  if (largest <= slip) return notDefined(say('stats.jackknifeConstant'));
  // The values are scaled, because cubes and squares must stay in the range of doubles.
  const scaled = away.map((d) => d / largest);
  const squares = sum(scaled.map((d) => d * d));
  return sum(scaled.map((d) => d * d * d)) / (6 * squares * Math.sqrt(squares));
}
