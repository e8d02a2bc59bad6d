import { say } from '../base/say';
import type { Outcome } from '../base/outcome';
import type { Scale } from '../evaluator/evaluator';

/**
 * The cosine of two vectors. It sums in float64 in a fixed order, so the result is the same on every machine.
 * Identical vectors give exactly 1, and a zero vector gives NaN.
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length)
    throw new RangeError(`Embeddings of ${a.length} and ${b.length} numbers have no cosine.`);
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const product = aa * bb;
  if (product === 0) return NaN;
  return Math.max(-1, Math.min(1, dot / Math.sqrt(product)));
}

export function applyScale(scale: Scale, cos: number): number {
  switch (scale.name) {
    case 'cosine':
      return cos;
    case 'clipped':
      return scale.weight * Math.max(cos, 0);
    case 'sigmoid':
      return 1 / (1 + Math.exp(-(scale.factor * cos + scale.bias)));
    case 'own':
      throw new Error('An evaluator with embeddings must score by cosine.');
  }
}

/** The score of two embeddings: their cosine. If `scale` is set, it converts the cosine. */
export function similarity(
  a: Outcome<Float32Array>,
  b: Outcome<Float32Array>,
  scale: Scale | undefined,
): Outcome<number> {
  if (!a.ok) return a;
  if (!b.ok) return b;
  const cos = cosine(a.value, b.value);
  if (Number.isNaN(cos)) return { ok: false, problem: say('bench.allZeros') };
  return { ok: true, value: scale === undefined ? cos : applyScale(scale, cos) };
}
