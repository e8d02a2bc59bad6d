import type { Standing } from './events';
import type { Seat } from './pairs';

/** Figures nobody can read faster than this; and adding them up costs a little. */
const everyMs = 2000;

/** Tells where the figures of a run stand, every two seconds at most; the first time at once. */
export class Standings {
  private toldAt = -Infinity;

  constructor(
    private readonly seats: readonly Seat[],
    private readonly tell: (standings: Standing[]) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  maybeTell(): void {
    const now = this.now();
    if (now - this.toldAt < everyMs) return;
    const standings = this.seats
      .filter(({ examples }) => examples > 0)
      .map(({ evaluator, examples, summary }) => ({
        evaluator: evaluator.info.name,
        examples,
        metrics: summary.soFar(),
      }));
    if (standings.length === 0) return;
    this.toldAt = now;
    this.tell(standings);
  }
}
