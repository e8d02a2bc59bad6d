import { ascendingOrder } from './order';
import { finite } from './outcome';

/** Holm's adjusted p values, in the order of the input. */
export function holm(pValues: ArrayLike<number>): Float64Array {
  const p = finite(pValues, 'p value');
  for (const value of p)
    if (value < 0 || value > 1) throw new RangeError(`A p value is ${value}, not between 0 and 1.`);
  const out = new Float64Array(p.length);
  let largest = 0;
  ascendingOrder(p).forEach((at, rank) => {
    largest = Math.max(largest, Math.min(1, p[at] * (p.length - rank)));
    out[at] = largest;
  });
  return out;
}
