import type { Outcome } from '../base/outcome';
import type { Encoded } from '../protocol/native';

/** One outcome per row. Rows are copies, so that keeping one does not keep its whole batch. */
export function listOfRows({ dimension, values, problems }: Encoded): Outcome<Float32Array>[] {
  return problems.map((problem, r) =>
    problem === undefined
      ? { ok: true, value: values.slice(r * dimension, (r + 1) * dimension) }
      : { ok: false, problem },
  );
}
