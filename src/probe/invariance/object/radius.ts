/** Measures how the score depends on the distance of an object from the image's centre. */
import { append } from '../../../base/lists';
import { say, together } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { isDefined } from '../../../stats/outcome';
import { numberClusters } from '../../../stats/clustering';
import { cholesky, forwardSubstitute } from '../../../stats/regression/linear';
import { imageInterval } from '../../inference/interval';
import type { Metric } from '../../metric';
import type { InvarianceRow } from '../row';
import { knotsOf, nestedTest, splineOf } from './spline';

/** An object's distances from the centre, and the scores. Index 0 is the original image; the others are moves. */
export interface Places {
  /** The distance between the centres of the object and of the image: 0 in the centre, 1 in a corner. */
  radius: number[];
  score: number[];
  image: number;
}

export function placesOf({ object, score, variants }: InvarianceRow, image: number): Places | undefined {
  if (object?.mask === undefined || score === null) return undefined;
  const { width, height } = object.mask;
  const [left, top, wide, high] = object.box;
  const radius = (dx: number, dy: number): number =>
    Math.hypot(left + wide / 2 + dx - width / 2, top + high / 2 + dy - height / 2) /
    Math.hypot(width / 2, height / 2);
  const places: Places = { radius: [radius(0, 0)], score: [score], image };
  for (const { transform, score: moved, delta, text } of variants) {
    if (transform?.op !== 'move') continue;
    places.radius.push(radius(transform.dx, transform.dy));
    // Scores with a move's own caption differ from scores with the row's caption, so only the change is used.
    places.score.push(text === undefined ? moved : score + delta);
  }
  return places.radius.length === 1 ? undefined : places;
}

const prefix = 'invariance.object.radius';

/**
 * Fits score = a constant per image + a spline of the distance, and compares distances in steps of a tenth.
 * The constants remove the effect of everything in the image that does not move.
 */
export function* radiusMetrics(rows: readonly Places[]): Steps<Metric[]> {
  if (rows.length === 0) return [];
  const places = byImage(rows);
  const all = places.flatMap(({ radius }) => radius);
  const knots = knotsOf(all);
  const columns = splineOf(all, knots);
  const scores = Float64Array.from(places.flatMap(({ score }) => score));
  const lengths = places.map(({ radius }) => radius.length);
  for (const values of [...columns, scores]) subtractMeans(values, lengths);
  const p: Metric = { id: `${prefix}.p`, value: null, n: all.length, images: places.length };
  yield;
  const test = nestedTest(scores, [], columns, places.length);
  const model = say('invariance.radiusModel');
  p.note = isDefined(test)
    ? say('invariance.effectTest', model, test.extra, test.rest, test.f.toPrecision(6))
    : together(model, say('inference.noTest', test.reason));
  if (!isDefined(test)) return [p];
  p.value = test.pValue;
  const { of, count } = numberClusters(places.map(({ image }) => image));
  const sums = sumsOf(columns, scores, lengths, of, count);
  const first = Math.ceil(knots[0] * 10);
  const metrics = [p];
  for (let at = first + 1; at <= Math.min(knots[3], 1) * 10; at++)
    metrics.push(yield* effect({ n: all.length, rows: places.length, sums }, knots, first / 10, at / 10));
  return metrics;
}

/** Joins the rows of an image, which share the image's constant. */
function byImage(rows: readonly Places[]): Places[] {
  const images = new Map<number, Places>();
  for (const { radius, score, image } of rows) {
    const own = images.get(image);
    if (own === undefined) images.set(image, { radius: [...radius], score: [...score], image });
    else {
      append(own.radius, radius);
      append(own.score, score);
    }
  }
  return [...images.values()];
}

/** Subtracts each image's mean, which is equivalent to the model's constant per image. */
function subtractMeans(values: Float64Array, lengths: readonly number[]): void {
  let from = 0;
  for (const length of lengths) {
    const part = values.subarray(from, (from += length));
    const mean = part.reduce((sum, value) => sum + value, 0) / length;
    for (let i = 0; i < length; i++) part[i] -= mean;
  }
}

const size = 3;
const width = size * size + size;

/** XᵀX and Xᵀy of each image. */
function sumsOf(
  columns: readonly Float64Array[],
  scores: Float64Array,
  lengths: readonly number[],
  images: Uint32Array,
  count: number,
): Float64Array[] {
  const sums = Array.from({ length: count }, () => new Float64Array(width));
  let row = 0;
  for (const [i, length] of lengths.entries()) {
    const own = sums[images[i]];
    for (const end = row + length; row < end; row++)
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < size; b++) own[a * size + b] += columns[a][row] * columns[b][row];
        own[size * size + a] += columns[a][row] * scores[row];
      }
  }
  return sums;
}

/** The score difference between two distances, with an interval over images. */
function* effect(
  { n, rows, sums }: { n: number; rows: number; sums: readonly Float64Array[] },
  knots: readonly number[],
  from: number,
  to: number,
): Steps<Metric> {
  const contrast = splineOf([from, to], knots).map(([low, high]) => high - low);
  const statistic = (images: Uint32Array): number => {
    const total = new Float64Array(width);
    for (const image of images) {
      const own = sums[image];
      for (let i = 0; i < width; i++) total[i] += own[i];
    }
    const slopes = solve(total.subarray(0, size * size), total.subarray(size * size));
    return slopes === undefined ? NaN : contrast.reduce((sum, x, i) => sum + x * slopes[i], 0);
  };
  const metric: Metric = {
    id: `${prefix}.delta`,
    value: statistic(Uint32Array.from(sums.keys())),
    n,
    images: rows,
    slice: { radius: to.toFixed(1) },
    note: say('invariance.radiusEffect', from.toFixed(1), to.toFixed(1)),
  };
  const interval = yield* imageInterval({ rows: sums.length, statistic });
  if (isDefined(interval)) metric.ci = [interval.low, interval.high];
  else metric.note = together(metric.note, say('probe.noInterval', interval.reason));
  return metric;
}

/** Solves A x = b for a symmetric A; undefined if A is not positive definite. */
function solve(a: Float64Array, b: Float64Array): Float64Array | undefined {
  const l = cholesky(a, size);
  if (l === undefined) return undefined;
  const x = forwardSubstitute(l, size, Float64Array.from(b));
  for (let i = size - 1; i >= 0; i--) {
    for (let j = i + 1; j < size; j++) x[i] -= l[j * size + i] * x[j];
    x[i] /= l[i * size + i];
  }
  return x;
}
