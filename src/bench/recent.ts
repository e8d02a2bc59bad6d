import { keyOf } from '../base/text/tally';
import type { Outcome } from '../base/outcome';
import { type Value, valueBytes } from './value';

/** The approximate bytes of a Map entry and its key, without the value. */
const overhead = 200;

/** The most recently used results of a run, up to `most` bytes. */
export class Recent {
  private readonly outcomes = new Map<string, Outcome<Value>>();
  /** The keys, oldest first. Kept between evictions: a new iterator would visit deleted entries again. */
  private oldest = this.outcomes.keys();
  private bytes = 0;

  constructor(private readonly most: number) {}

  get(key: string): Outcome<Value> | undefined {
    const outcome = this.outcomes.get(key);
    if (outcome === undefined) return undefined;
    this.outcomes.delete(key);
    this.outcomes.set(key, outcome);
    return outcome;
  }

  set(key: string, outcome: Outcome<Value>): void {
    const before = this.outcomes.get(key);
    if (before !== undefined) this.bytes -= sizeOf(before);
    this.outcomes.delete(key);
    this.outcomes.set(key, outcome);
    this.bytes += sizeOf(outcome);
    while (this.bytes > this.most && this.outcomes.size > 1) this.forgetOldest();
  }

  private forgetOldest(): void {
    let { value: key, done } = this.oldest.next();
    if (done) {
      this.oldest = this.outcomes.keys();
      ({ value: key, done } = this.oldest.next());
    }
    const outcome = key === undefined ? undefined : this.outcomes.get(key);
    if (key === undefined || outcome === undefined) return;
    this.outcomes.delete(key);
    this.bytes -= sizeOf(outcome);
  }
}

function sizeOf(outcome: Outcome<Value>): number {
  return overhead + (outcome.ok ? valueBytes(outcome.value) : keyOf(outcome.problem).length * 2);
}
