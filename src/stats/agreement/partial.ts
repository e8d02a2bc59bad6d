import { say } from '../../base/say';
import { isDefined, notDefined, type Outcome } from '../outcome';
import type { Association } from './association';

interface Scale {
  to: (coefficient: number) => number;
  from: (coefficient: number) => number;
}

export const partialScales = {
  /** Kendall's partial τ (1942). It is not 0 if z is all that x and y share, because τ is not additive. */
  own: { to: (tau) => tau, from: (tau) => tau },
  /** By Pearson's r that belongs to τ for normal variables (Greiner 1909). It is 0 if these share only z. */
  normal: {
    to: (tau) => Math.sin((Math.PI / 2) * tau),
    from: (r) => (2 / Math.PI) * Math.asin(Math.max(-1, Math.min(1, r))),
  },
} as const satisfies Record<string, Scale>;

/** The agreement of x and y with z held constant, from their three agreements over the same clusters. */
export function partialAssociation(
  xy: Outcome<Association>,
  xz: Outcome<Association>,
  yz: Outcome<Association>,
  { to, from }: Scale = partialScales.own,
): Outcome<Association> {
  if (!isDefined(xy)) return xy;
  if (!isDefined(xz)) return xz;
  if (!isDefined(yz)) return yz;
  const of = (...three: [number, number, number]): number => {
    const [a, b, c] = three.map(to);
    return from((a - b * c) / Math.sqrt((1 - b * b) * (1 - c * c)));
  };
  const value = of(xy.value, xz.value, yz.value);
  // If z decides the order of x or of y, nothing is left.
  if (!Number.isFinite(value)) return notDefined(say('stats.heldDecides'));
  return { value, without: xy.without.map((one, g) => of(one, xz.without[g], yz.without[g])) };
}
