import { Tally } from '../../../base/text/tally';
import { say, type Words } from '../../../base/say';
import type { InvarianceRow } from '../row';

/** Records which examples are in a metric, and why the others are not. */
export class MeasuredExamples {
  private readonly measured = new Set<string>();
  private readonly unmeasured = new Map<string, Words>();

  /** Adds a row of an example. `isScored` says whether the unchanged image is in a metric. */
  add({ example, variants, rejected }: InvarianceRow, isScored: boolean): void {
    if (isScored || variants.length > 0) {
      this.measured.add(example);
      this.unmeasured.delete(example);
    } else if (!this.measured.has(example) && !this.unmeasured.has(example))
      this.unmeasured.set(example, rejected.at(0)?.reason ?? say('invariance.noChangePossible'));
  }

  get count(): number {
    return this.measured.size;
  }

  /** The number of examples that are in no metric, by reason. */
  get reasons(): Tally {
    const counts = new Tally();
    for (const reason of this.unmeasured.values()) counts.add(reason);
    return counts;
  }
}
