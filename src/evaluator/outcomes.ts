import type { Outcome } from '../base/outcome';
import type { Encoded } from '../protocol/native';

/** Sums of squares and products of larger scores would overflow. */
export const largestScore = 1e50;

/** Returns one result per row. Rows are copied, because a view would keep its whole batch in memory. */
export function listOfRows({ dimension, values, problems }: Encoded): Outcome<Float32Array>[] {
  return problems.map((problem, r) =>
    problem === undefined
      ? { ok: true, value: values.slice(r * dimension, (r + 1) * dimension) }
      : { ok: false, problem },
  );
}
