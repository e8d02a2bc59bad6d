import { say } from '../../base/say';
import type { Fault } from '../probe';
import type { VislaRow } from './row';

export function vislaFaults({ t2t, i2t, n, p1, p2 }: VislaRow): Fault[] {
  const faults: Fault[] = [];
  if (t2t !== undefined && !t2t.right) {
    const [rival, other] = t2t.p1n >= t2t.p2n ? [p1, t2t.p1n] : [p2, t2t.p2n];
    faults.push({
      message: say('visla.negativeTooSimilar', n, rival, other.toFixed(4), t2t.p1p2.toFixed(4)),
      size: other - t2t.p1p2,
    });
  }
  if (i2t !== undefined && !i2t.right) {
    const [caption, score] = i2t.p1 <= i2t.p2 ? [p1, i2t.p1] : [p2, i2t.p2];
    faults.push({
      message: say('sugarcrepe.wrongCaptionWins', i2t.n.toFixed(4), n, score.toFixed(4), caption),
      size: i2t.n - score,
    });
  }
  return faults.sort((a, b) => b.size - a.size);
}
