/** A square matrix, stored row by row. It maps x to the dot products of x with its rows. */
export interface LinearMap {
  dimension: number;
  values: Float32Array;
}

/** Adds float64 values in order, so that results are identical on every machine. */
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
