/** A square matrix in row-major order. It maps a vector x to the dot products of x with the matrix's rows. */
export interface LinearMap {
  dimension: number;
  values: Float32Array;
}

/** Multiplies the matrix by a vector. Sums float64 in a fixed order: the same on every machine. */
export function applyMap({ dimension, values }: LinearMap, row: Float32Array): Float32Array {
  if (row.length !== dimension)
    throw new RangeError(`A map for ${dimension} numbers received a row of ${row.length}.`);
  const out = new Float32Array(dimension);
  for (let i = 0, at = 0; i < dimension; i++) {
    let sum = 0;
    for (let j = 0; j < dimension; j++) sum += values[at++] * row[j];
    out[i] = sum;
  }
  return out;
}
