import type { Outcome } from '../base/outcome';
import type { Encoded } from '../protocol/native';

/** Beyond this, sums of squares and products of scores overflow. */
export const largestScore = 1e50;

/** One outcome per row. Copies, because a view would keep its whole batch in memory. */
export function listOfRows({ dimension, values, problems }: Encoded): Outcome<Float32Array>[] {
  return problems.map((problem, r) =>
    problem === undefined
      ? { ok: true, value: values.slice(r * dimension, (r + 1) * dimension) }
      : { ok: false, problem },
  );
}
