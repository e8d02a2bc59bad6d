import type { Outcome } from '../base/outcome';
import type { Encoded } from '../protocol/native';

/** Larger scores would overflow in sums of squares and products. */
export const largestScore = 1e50;

/** One result per row. Rows are copied, because a view would keep the whole batch in memory. */
export function listOfRows({ dimension, values, problems }: Encoded): Outcome<Float32Array>[] {
  return problems.map((problem, r) =>
    problem === undefined
      ? { ok: true, value: values.slice(r * dimension, (r + 1) * dimension) }
      : { ok: false, problem },
  );
}
