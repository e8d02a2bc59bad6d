import type { Steps } from '../../base/turns/steps';
import { largest } from '../../base/extent';

/** Minimises a smooth function of a few variables by Nelder–Mead, with up to seven restarts. */
export function* minimise(
  f: (x: Float64Array) => number,
  start: Float64Array,
  step: number,
): Steps<Float64Array> {
  let best = start;
  let value = f(start);
  for (let round = 0; round < 8; round++) {
    const next = yield* simplex(f, best, step);
    const settled = round > 0 && value - next.value <= 1e-10 * (1 + Math.abs(next.value));
    if (next.value <= value) ({ x: best, value } = next);
    if (settled) break;
    step = 1e-3;
  }
  return best;
}

interface Corner {
  x: Float64Array;
  value: number;
}

function* simplex(f: (x: Float64Array) => number, start: Float64Array, step: number): Steps<Corner> {
  const n = start.length;
  const corner = (x: Float64Array): Corner => ({ x, value: f(x) });
  const corners = [corner(start)];
  for (let i = 0; i < n; i++)
    corners.push(corner(start.with(i, start[i] + step * Math.max(1, Math.abs(start[i])))));
  for (let round = 0; round < 400 * n; round++) {
    yield;
    corners.sort((a, b) => a.value - b.value);
    const worst = corners[n];
    const spread = largest(
      corners[0].x.map(
        (best, i) => largest(corners.map(({ x }) => Math.abs(x[i] - best))) / Math.max(1, Math.abs(best)),
      ),
    );
    // Rounding hides differences between points closer than about the square root of the precision.
    if (spread < 1e-7) break;
    const centre = start.map((_, i) => corners.slice(0, n).reduce((total, { x }) => total + x[i], 0) / n);
    const towards = (factor: number): Corner => corner(centre.map((c, i) => c + factor * (worst.x[i] - c)));
    const reflected = towards(-1);
    if (reflected.value < corners[0].value) {
      const expanded = towards(-2);
      corners[n] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < corners[n - 1].value) corners[n] = reflected;
    else {
      const inside = reflected.value < worst.value ? towards(-0.5) : towards(0.5);
      if (inside.value < Math.min(reflected.value, worst.value)) corners[n] = inside;
      else {
        for (let k = 1; k <= n; k++)
          corners[k] = corner(corners[k].x.map((v, i) => (v + corners[0].x[i]) / 2));
      }
    }
  }
  corners.sort((a, b) => a.value - b.value);
  return corners[0];
}
