/**
 * The most milliseconds that a batch should take. After a slower batch, the next batches are smaller, because a
 * cancelled run should still store the results of a batch in progress.
 */
const soon = 300;
/**
 * Small batches take more processor time for each item, and a busy machine makes every batch slow. Batches below this
 * fraction of the limits are only for models that take more than `late` milliseconds for it.
 */
const least = 1 / 4;
const late = 2000;

/** The fraction of the batch limits that is used. It is smaller for slow evaluators. */
export class Portion {
  private portion = 1;

  of(limit: number): number {
    return Math.max(1, Math.floor(limit * this.portion));
  }

  /** Learns from the milliseconds that a batch took. */
  adapt(took: number): void {
    const isLeast = this.portion <= least;
    const most = isLeast ? late : soon;
    if (took > most) this.portion = Math.max(isLeast ? 0 : least, this.portion * Math.max(0.5, most / took));
    else if (took < soon / 2) this.portion = Math.min(1, this.portion * 1.5);
    else if (isLeast && took < late / 2) this.portion = Math.min(least, this.portion * 1.5);
  }
}
