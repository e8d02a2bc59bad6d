/** The embeddings to rank. `data` has all rows one after another. */
export interface Rows {
  count: number;
  dimension: number;
  data: Float32Array;
}

export function packRows(embeddings: readonly Float32Array[]): Rows {
  const dimension = embeddings.length === 0 ? 0 : embeddings[0].length;
  const data = new Float32Array(embeddings.length * dimension);
  embeddings.forEach((row, at) => {
    if (row.length !== dimension) throw new RangeError('Embeddings to rank must have the same length.');
    data.set(row, at * dimension);
  });
  return { count: embeddings.length, dimension, data };
}

/** Rows with their norms, which are computed only once. */
export class Gallery {
  /** The sum of squares of each row. */
  private readonly squares: Float64Array;
  readonly norms: Float64Array;

  constructor(readonly rows: Rows) {
    const { count, dimension, data } = rows;
    this.squares = new Float64Array(count);
    for (let row = 0, k = 0; row < count; row++) {
      let sum = 0;
      for (const end = k + dimension; k < end; k++) sum += data[k] * data[k];
      if (!(sum > 0 && sum < Infinity)) {
        const why = sum === 0 ? 'is all zeros' : 'contains NaN or too large values';
        throw new RangeError(`Row ${row} of the embeddings ${why} and cannot be ranked.`);
      }
      this.squares[row] = sum;
    }
    this.norms = this.squares.map(Math.sqrt);
  }

  get count(): number {
    return this.rows.count;
  }

  get dimension(): number {
    return this.rows.dimension;
  }

  /**
   * The cosine of two rows, equal to the cosine in src/bench to the last bit. float64 represents products of
   * float32 numbers exactly. The products are summed in order, so equal rows have equal cosines.
   */
  cosine(row: number, other: Gallery, otherRow: number): number {
    const left = this.rows.data;
    const right = other.rows.data;
    let sum = 0;
    let j = otherRow * other.dimension;
    for (let i = row * this.dimension, end = i + this.dimension; i < end; i++) sum += left[i] * right[j++];
    return Math.max(-1, Math.min(1, sum / Math.sqrt(this.squares[row] * other.squares[otherRow])));
  }
}
