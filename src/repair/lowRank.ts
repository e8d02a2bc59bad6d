import type { Random } from '../base/random';

/** x ↦ x + P·(Q·x), a low-rank correction. In row-major order, `up` (P) is d × r, and `down` (Q) is r × d. */
export interface LowRank {
  dimension: number;
  rank: number;
  up: Float64Array;
  down: Float64Array;
}

/** The identity map: `up` is zero and `down` is random, as in LoRA. */
export function identity(dimension: number, rank: number, random: Random): LowRank {
  const down = new Float64Array(rank * dimension);
  const spread = Math.sqrt(3 / dimension);
  for (let i = 0; i < down.length; i++) down[i] = (2 * random.uniform() - 1) * spread;
  return { dimension, rank, up: new Float64Array(dimension * rank), down };
}

export function zerosLike({ dimension, rank }: LowRank): LowRank {
  return {
    dimension,
    rank,
    up: new Float64Array(dimension * rank),
    down: new Float64Array(rank * dimension),
  };
}

/** Multiplies the correction by `share`. A share of 0 makes the identity. */
export function weakened(head: LowRank, share: number): LowRank {
  return { ...head, up: head.up.map((weight) => weight * share) };
}

/** A mapped and normalised row, with the values that the backward pass needs. */
export interface Turned {
  row: Float64Array;
  /** Q·x. */
  inner: Float64Array;
  unit: Float64Array;
  length: number;
}

export function turn({ dimension, rank, up, down }: LowRank, row: Float64Array): Turned {
  const inner = new Float64Array(rank);
  for (let k = 0; k < rank; k++) inner[k] = dot(down, k * dimension, row, 0, dimension);
  const unit = new Float64Array(dimension);
  let squares = 0;
  for (let i = 0; i < dimension; i++) {
    const value = row[i] + dot(up, i * rank, inner, 0, rank);
    unit[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  for (let i = 0; i < dimension; i++) unit[i] /= length;
  return { row, inner, unit, length };
}

/** Adds the gradients of P and Q to `gradient`. `byUnit` is the gradient with respect to the unit row. */
export function turnBack(
  { dimension, rank, up }: LowRank,
  { row, inner, unit, length }: Turned,
  byUnit: Float64Array,
  gradient: LowRank,
): void {
  const along = dot(byUnit, 0, unit, 0, dimension);
  const byInner = new Float64Array(rank);
  for (let i = 0; i < dimension; i++) {
    const byValue = (byUnit[i] - along * unit[i]) / length;
    const at = i * rank;
    for (let k = 0; k < rank; k++) {
      gradient.up[at + k] += byValue * inner[k];
      byInner[k] += byValue * up[at + k];
    }
  }
  for (let k = 0; k < rank; k++) addScaled(gradient.down, k * dimension, row, byInner[k]);
}

/** The map as one matrix. */
export function tableOf({ dimension, rank, up, down }: LowRank): Float32Array {
  const table = new Float32Array(dimension * dimension);
  const row = new Float64Array(dimension);
  for (let i = 0; i < dimension; i++) {
    row.fill(0);
    row[i] = 1;
    for (let k = 0; k < rank; k++) {
      const weight = up[i * rank + k];
      for (let j = 0; j < dimension; j++) row[j] += weight * down[k * dimension + j];
    }
    table.set(row, i * dimension);
  }
  return table;
}

export function dot(a: Float64Array, atA: number, b: Float64Array, atB: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += a[atA + i] * b[atB + i];
  return sum;
}

export function addScaled(to: Float64Array, at: number, from: Float64Array, weight: number): void {
  for (let i = 0; i < from.length; i++) to[at + i] += weight * from[i];
}
