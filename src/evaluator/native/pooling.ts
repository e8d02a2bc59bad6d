import { say, type Words } from '../../base/say';
import type { OutputSpec } from '../../protocol/native';

/** Pools tokens into one row per item. Sums in double precision in a fixed order, so the batch has no effect. */
export function poolRows(
  data: Float32Array,
  dims: readonly number[],
  mask: Uint8Array | undefined,
  output: OutputSpec,
  rows: number,
): { dimension: number; values: Float32Array } {
  const dimension = dims[dims.length - 1];
  const values = new Float32Array(rows * dimension);
  const length = output.pooling === 'none' ? 1 : dims[1];
  const row = new Float64Array(dimension);
  for (let r = 0; r < rows; r++) {
    const block = data.subarray(r * length * dimension, (r + 1) * length * dimension);
    if (output.pooling === 'none') row.set(block);
    else pool(block, mask?.subarray(r * length, (r + 1) * length), length, output, row);
    if (output.normalise) normalise(row);
    values.set(row, r * dimension);
  }
  return { dimension, values };
}

function pool(
  block: Float32Array,
  mask: Uint8Array | undefined,
  length: number,
  { pooling, skip }: OutputSpec,
  row: Float64Array,
): void {
  const dimension = row.length;
  const real: number[] = [];
  for (let t = 0; t < length; t++) if (mask === undefined || mask[t] === 1) real.push(t);
  const tokens = pooling === 'cls' ? real : real.slice(skip);
  if (pooling === 'cls' || pooling === 'last') {
    const from = (pooling === 'cls' ? tokens[0] : tokens[tokens.length - 1]) * dimension;
    for (let d = 0; d < dimension; d++) row[d] = block[from + d];
    return;
  }
  row.fill(pooling === 'max' ? -Infinity : 0);
  let weights = 0;
  for (const [at, token] of tokens.entries()) {
    const weight = pooling === 'weighted-mean' ? at + 1 : 1;
    weights += weight;
    const from = token * dimension;
    if (pooling === 'max') for (let d = 0; d < dimension; d++) row[d] = Math.max(row[d], block[from + d]);
    else for (let d = 0; d < dimension; d++) row[d] += weight * block[from + d];
  }
  if (pooling === 'max') return;
  const divisor = pooling === 'mean-sqrt-length' ? Math.sqrt(weights) : weights;
  for (let d = 0; d < dimension; d++) row[d] /= divisor;
}

function normalise(row: Float64Array): void {
  let sum = 0;
  for (const value of row) sum += value * value;
  const norm = Math.sqrt(sum);
  if (norm > 0) for (let d = 0; d < row.length; d++) row[d] /= norm;
}

/** The reason why a row is not a valid embedding, or undefined if the row is valid. */
export function problemOf(row: Float32Array): Words | undefined {
  let zero = true;
  for (const value of row) {
    if (!Number.isFinite(value)) return say('native.notFinite');
    if (value !== 0) zero = false;
  }
  return zero ? say('native.onlyZeros') : undefined;
}

/** Records the problem of each invalid row, and sets the row to zero. */
export function checkRows(
  values: Float32Array,
  dimension: number,
  problems: (Words | undefined)[],
  from = 0,
): void {
  for (let r = from; r < problems.length; r++) {
    const row = values.subarray(r * dimension, (r + 1) * dimension);
    problems[r] ??= problemOf(row);
    if (problems[r] !== undefined) row.fill(0);
  }
}
