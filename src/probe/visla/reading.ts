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
  /** The positives that do not beat the negative in "P1 against N" and "P2 against N". */
  lost: ('P1' | 'P2')[];
}

export function read(row: VislaRow): Reading {
  if (row.t2t) {
    const { p1p2, p1n, p2n, right, tie } = row.t2t;
    const lost: Reading['lost'] = [];
    // "P2 against N" compares their similarities to P1, and "P1 against N" those to P2.
    if (p1n >= p1p2) lost.push('P2');
    if (p2n >= p1p2) lost.push('P1');
    const rival = Math.max(p1n, p2n);
    return { margin: leadFromCaptions(row.t2t), right, tie, point: [p1p2, rival], lost };
  }
  if (row.i2t) {
    const { p1, p2, n, right, tie } = row.i2t;
    const lost: Reading['lost'] = [];
    if (n >= p1) lost.push('P1');
    if (n >= p2) lost.push('P2');
    return { margin: leadWithImage(row.i2t), right, tie, point: [Math.min(p1, p2), n], lost };
  }
  throw new Error(`The row of example ${row.example} has no scores.`);
}

export function verdictOf({ right, tie }: Pick<Reading, 'right' | 'tie'>): Verdict {
  if (tie) return 'tie';
  return right ? 'right' : 'wrong';
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
