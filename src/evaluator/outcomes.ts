import type { Outcome } from '../base/outcome';
import type { Encoded } from '../protocol/native';

/** The largest absolute score. Larger ones could overflow when squared, multiplied and summed. */
export const largestScore = 1e50;

/** Returns one outcome per row. Rows are copied, because a view would keep the whole batch in memory. */
export function listOfRows({ dimension, values, problems, unreadable }: Encoded): Outcome<Float32Array>[] {
  const unread = new Set(unreadable);
  return problems.map((problem, r) =>
    problem === undefined
      ? { ok: true, value: values.slice(r * dimension, (r + 1) * dimension) }
      : { ok: false, problem, ...(unread.has(r) ? { unreadable: true } : {}) },
  );
}
