/** A square table, row by row: what it makes of x is its rows' products with x. */
export interface LinearMap {
  dimension: number;
  values: Float32Array;
}

/** Summed in float64 from the first number to the last, so that it is the same bits everywhere. */
export function applyMap({ dimension, values }: LinearMap, row: Float32Array): Float32Array {
  if (row.length !== dimension)
    throw new RangeError(`A map of ${dimension} numbers was given a row of ${row.length}.`);
  const out = new Float32Array(dimension);
  for (let i = 0, at = 0; i < dimension; i++) {
    let sum = 0;
    for (let j = 0; j < dimension; j++) sum += values[at++] * row[j];
    out[i] = sum;
  }
  return out;
}
