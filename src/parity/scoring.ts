import { applyScale, cosine } from '../bench/similarity';
import type { Scale } from '../evaluator/evaluator';
import { float32 } from './difference';
import { interpolated, isMonotone } from './monotone';
import { withNearness, withoutNearness, type Rows } from './references';
import { floatsOf, halvesOf } from '../evaluator/half';
import { valueIn } from '../base/lists';
import type { Change } from './change';

/** The scores of pairs, and what the scale became if it was fitted. */
export interface Scored {
  scores: Float64Array;
  scale?: string;
  /** Set if the scale is a monotone function: whether B's scores are in the order of the cosines, or in the reverse order. */
  isMonotone?: boolean;
}

/** How well embeddings agree, before a scale: cosines, or dot products, of `images[i]` and `texts[i]`. */
export function products(images: Rows, texts: Rows, changes: readonly Change[]): Float64Array {
  const isHalf = changes.some(({ score }) => score?.kind === 'half');
  const measure = changes.some(({ score }) => score?.kind === 'dot') ? dot : cosine;
  const rounded = (row: Float32Array): Float32Array => (isHalf ? halfOf(row) : row);
  return Float64Array.from(images, (row, i) => measure(rounded(row), rounded(texts[i])));
}

const halves = new WeakMap<Float32Array, Float32Array>();

function halfOf(row: Float32Array): Float32Array {
  const half = valueIn(halves, row, () => floatsOf(halvesOf(row)));
  return half;
}

interface Goal {
  /** The scores of B. */
  target: readonly number[];
  /** A scale is fitted to the first scores. */
  fitted: number;
  /** How near captions are to references, which then count as in RefCLIPScore. */
  near?: Float64Array;
}

/** Scales cosines as the changes say. */
export function scaled(
  cosines: Float64Array,
  scale: Scale,
  changes: readonly Change[],
  { target, fitted, near }: Goal,
): Scored {
  const fit = changes.find(({ setting }) => setting === 'scale')?.score;
  const round = changes.find(({ score }) => score?.kind === 'round')?.score;
  const out =
    fit === undefined
      ? { scores: cosines.map((cos) => applyScale(scale, cos)) }
      : fittedScale(
          fit.kind,
          cosines,
          near === undefined ? target : target.map((score, i) => withoutNearness(score, near[i])),
          fitted,
        );
  if (near !== undefined) out.scores = out.scores.map((score, i) => withNearness(score, near[i]));
  if (round?.kind !== 'round') return out;
  const unit = 10 ** round.digits;
  return { ...out, scores: out.scores.map((score) => Math.round(score * unit) / unit) };
}

function fittedScale(kind: string, cosines: Float64Array, target: readonly number[], fitted: number): Scored {
  const known = [...target.slice(0, fitted).keys()].filter((i) => !Number.isNaN(target[i]));
  const x = Float64Array.from(known, (i) => cosines[i]);
  const y = known.map((i) => target[i]);
  switch (kind) {
    case 'factor': {
      const weight = tidy(throughZero(x, y));
      return { scores: cosines.map((cos) => weight * cos), scale: `${shown(weight)} · cos` };
    }
    case 'clipped': {
      const weight = tidy(throughZero(x.map(positive), y));
      return {
        scores: cosines.map((cos) => weight * positive(cos)),
        scale: `${shown(weight)} · max(cos, 0)`,
      };
    }
    case 'monotone': {
      const most = target.reduce((known, score) => Math.max(known, Math.abs(score)), 0);
      // A score that has no inverse, because of references, has no place in the order.
      const isOrdered = known.length === fitted && isMonotone(cosines, target, float32 * most);
      return { scores: interpolated(cosines, target, fitted), isMonotone: isOrdered };
    }
    case 'affine': {
      const [weight, bias] = line(x, y);
      return { scores: cosines.map((cos) => weight * cos + bias), scale: sum(weight, bias) };
    }
    default: {
      // A logit's error is that of the score, divided by the slope of σ there.
      const [weight, bias] = line(
        x,
        y.map((score) => Math.log(score / (1 - score))),
        y.map((score) => (score * (1 - score)) ** 2),
      );
      return {
        scores: cosines.map((cos) => 1 / (1 + Math.exp(-(weight * cos + bias)))),
        scale: `σ(${sum(weight, bias)})`,
      };
    }
  }
}

const positive = (value: number): number => Math.max(value, 0);

function sum(weight: number, bias: number): string {
  return `${shown(weight)} · cos ${bias < 0 ? '−' : '+'} ${shown(Math.abs(bias))}`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** A weight such as 2.5 is meant exactly, although a fit to float32 scores gives 2.49999997. */
function tidy(weight: number): number {
  const round = Number(weight.toPrecision(6));
  return Math.abs(weight - round) <= 1e-6 * Math.abs(weight) ? round : weight;
}

function throughZero(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let [xy, xx] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
  }
  return xx === 0 ? 0 : xy / xx;
}

function line(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: ArrayLike<number> = new Float64Array(x.length).fill(1),
): [slope: number, intercept: number] {
  const all = Array.from(weights).reduce((total, weight) => total + weight, 0);
  const [mx, my] = [x, y].map(
    (values) => Array.from(values).reduce((total, value, i) => total + weights[i] * value, 0) / all,
  );
  let [xy, xx] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += weights[i] * (x[i] - mx) * (y[i] - my);
    xx += weights[i] * (x[i] - mx) ** 2;
  }
  const slope = xx === 0 ? 0 : xy / xx;
  return [slope, my - slope * mx];
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}
