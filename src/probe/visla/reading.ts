import { say, type Words } from '../../base/say';
import type { VislaRow } from './row';
import type { Verdict } from '../../protocol/rows';

/** How a row's two positives and its negative compare, from the captions alone or with the image. */
export interface Reading {
  /**
   * From the captions alone: the similarity P1–P2 minus the greater of P1–N and P2–N. With the image: the lower
   * of the positives' scores minus the score of N.
   */
  margin: number;
  right: boolean;
  tie: boolean;
  point: readonly [number, number];
  /** The pairs of captions that are at least as close as P1 and P2. */
  wrong: ('p1n' | 'p2n')[];
  /** The positives that do not beat the negative in "P1 against N" and "P2 against N". */
  lost: ('P1' | 'P2')[];
}

export function read(row: VislaRow): Reading {
  if (row.t2t) {
    const { p1p2, p1n, p2n, right, tie } = row.t2t;
    const wrong: Reading['wrong'] = [];
    if (p1n >= p1p2) wrong.push('p1n');
    if (p2n >= p1p2) wrong.push('p2n');
    const rival = Math.max(p1n, p2n);
    // "P2 against N" compares their similarities to P1, and "P1 against N" those to P2.
    const lost = wrong.map((pair) => (pair === 'p1n' ? ('P2' as const) : ('P1' as const)));
    return { margin: leadFromCaptions(row.t2t), right, tie, point: [p1p2, rival], wrong, lost };
  }
  if (row.i2t) {
    const { p1, p2, n, right, tie } = row.i2t;
    const lost: Reading['lost'] = [];
    if (n >= p1) lost.push('P1');
    if (n >= p2) lost.push('P2');
    return { margin: leadWithImage(row.i2t), right, tie, point: [Math.min(p1, p2), n], wrong: [], lost };
  }
  throw new Error(`The row of example ${row.example} has no scores.`);
}

export function verdictOf({ right, tie }: Pick<Reading, 'right' | 'tie'>): Verdict {
  if (tie) return 'tie';
  return right ? 'right' : 'wrong';
}

export function which({ right, wrong }: Reading): Words {
  if (right) return say('visla.none');
  if (wrong.length === 2) return say('visla.failedBothCaptions');
  if (wrong.length === 1) return wrong[0] === 'p1n' ? 'P1–N' : 'P2–N';
  return say('visla.failedImage');
}

/** The failed comparisons, with the names of their metrics. */
export function failedOf({ lost }: Reading): Words {
  if (lost.length === 2) return say('visla.failedBothPositives');
  if (lost.length === 0) return say('visla.none');
  return lost[0] === 'P1' ? say('visla.firstAgainstNegative') : say('visla.secondAgainstNegative');
}

/** The similarity P1–P2 minus the greater of the similarities P1–N and P2–N. */
export function leadFromCaptions({ p1p2, p1n, p2n }: NonNullable<VislaRow['t2t']>): number {
  return p1p2 - Math.max(p1n, p2n);
}

/** The lower score of a positive with the image minus the score of the negative. */
export function leadWithImage({ p1, p2, n }: NonNullable<VislaRow['i2t']>): number {
  return Math.min(p1, p2) - n;
}
