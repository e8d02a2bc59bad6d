import type { Progress } from '../bench/bench';
import type { Example } from '../dataset/example';
import type { AuditProgress } from './events';

const everyMs = 100;
/** The remaining time is stated after this share of the run, or after this time, was measured. */
const measuredShare = 0.05;
const measuredMs = 30_000;
const mostBeforeTheEnd = 0.99;

/** Reports a run's progress at most ten times a second, from the bench's counts and the position in the file. */
export class ProgressMeter {
  private counts: Progress = { asked: 0, done: 0, fromStore: 0 };
  private examples = 0;
  /** The shares of the file, or of the limit, that are measured (`finished`) and sent to the bench (`sent`). */
  private finished: number | undefined;
  private sent = 0;
  private reported = 0;
  /** The number of answered requests when the current chunk was sent. */
  private doneBefore = 0;
  /** The approximate number of a gallery probe's requests. */
  private expected: number | undefined;
  /** When the first answers came. Before, models load and files are read, at another pace. */
  private base: { at: number; fraction: number } | undefined;
  private toldAt = 0;
  private tell: ((progress: AuditProgress) => void) | undefined;

  constructor(
    private readonly fileSize: number,
    private readonly limit: number | undefined,
  ) {}

  start(tell: (progress: AuditProgress) => void): void {
    this.tell = tell;
    this.examples = 0;
    this.finished = undefined;
    this.sent = 0;
    this.reported = 0;
    this.doneBefore = this.counts.done;
    this.expected = undefined;
    this.base = undefined;
    this.toldAt = 0;
  }

  bench(counts: Progress): void {
    this.counts = counts;
    this.maybeTell();
  }

  /** Called when the examples up to `last` are sent to the bench. By then, all earlier chunks have been measured. */
  send(last: Example): void {
    const share = this.shareOf(last);
    if (share === undefined) return;
    this.finished ??= 0;
    this.sent = share;
    this.doneBefore = this.counts.done;
  }

  /** Called when the examples up to `last` are measured. */
  measured(last: Example): void {
    this.examples = last.row + 1;
    this.finished = this.shareOf(last);
    this.maybeTell();
  }

  /** Called for each example by a probe that first reads the whole file. */
  read(example: Example): void {
    this.examples = Math.max(this.examples, example.row + 1);
    this.maybeTell();
  }

  /** Called by a probe that first reads the whole file. `items` is the approximate number of requests to come. */
  expect(items: number): void {
    this.expected = items;
    this.doneBefore = this.counts.done;
  }

  finish(): void {
    this.finished = 1;
    this.toldAt = 0;
    this.maybeTell();
    this.tell = undefined;
  }

  private maybeTell(): void {
    const now = Date.now();
    if (this.tell === undefined || now - this.toldAt < everyMs) return;
    this.toldAt = now;
    const { asked, done, fromStore, rate } = this.counts;
    const progress: AuditProgress = { examples: this.examples, asked, done, fromStore };
    if (rate !== undefined) progress.rate = rate;
    const fraction = this.fraction();
    if (fraction !== undefined) {
      progress.fraction = fraction;
      const secondsLeft = this.secondsLeft(now, fraction);
      if (secondsLeft !== undefined) progress.secondsLeft = secondsLeft;
    }
    this.tell(progress);
  }

  private secondsLeft(now: number, fraction: number): number | undefined {
    if (fraction <= 0) return undefined;
    this.base ??= { at: now, fraction };
    const [ms, share] = [now - this.base.at, fraction - this.base.fraction];
    const isMeasured = share >= measuredShare || (share > 0 && ms >= measuredMs);
    return isMeasured ? (ms / 1000) * ((1 - fraction) / share) : undefined;
  }

  private shareOf({ row, place }: Example): number | undefined {
    const byLimit = this.limit === undefined ? undefined : (row + 1) / this.limit;
    const byPlace = place ? (place.offset + place.length) / this.fileSize : undefined;
    if (byLimit === undefined && byPlace === undefined) return undefined;
    return Math.min(1, Math.max(byLimit ?? 0, byPlace ?? 0));
  }

  /** The measured share, with the answered requests of the current chunk. Never decreases. Undefined if unknown. */
  private fraction(): number | undefined {
    const { asked, done } = this.counts;
    if (this.finished === undefined && this.expected !== undefined && this.expected > 0) {
      // `expected` is an estimate, so the share stays below 1 until the probe has finished.
      const share = Math.min(mostBeforeTheEnd, (done - this.doneBefore) / this.expected);
      this.reported = Math.max(this.reported, share);
      return this.reported;
    }
    if (this.finished === undefined) return undefined;
    const part = asked > this.doneBefore ? (done - this.doneBefore) / (asked - this.doneBefore) : 0;
    this.reported = Math.max(
      this.reported,
      this.finished,
      this.finished + (this.sent - this.finished) * part,
    );
    return Math.min(1, this.reported);
  }
}
