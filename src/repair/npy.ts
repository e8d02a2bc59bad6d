import { npyOf as rowsAsNpy } from '../evaluator/embeddings/numpy';
import type { LinearMap } from '../evaluator/linearMap';

/** The matrix in NumPy's format, for repaired evaluators and other tools. */
export function npyOf({ dimension, values }: LinearMap): Buffer {
  const numbers = Float32Array.from(values);
  const rows = Array.from({ length: dimension }, (_, i) =>
    numbers.subarray(i * dimension, (i + 1) * dimension),
  );
  return Buffer.concat([...rowsAsNpy(rows)]);
}
