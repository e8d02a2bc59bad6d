import type { Progress } from '../bench/bench';
import type { Example } from '../dataset/example';
import type { AuditProgress } from './events';

const everyMs = 100;

/** Joins what the bench counts with how far the file has been read, and tells it at most ten times a second. */
export class ProgressMeter {
  private counts: Progress = { asked: 0, done: 0, fromStore: 0 };
  private examples = 0;
  private fraction: number | undefined;
  private startedAt = 0;
  private toldAt = 0;
  private tell: ((progress: AuditProgress) => void) | undefined;

  constructor(
    private readonly fileSize: number,
    private readonly limit: number | undefined,
  ) {}

  start(tell: (progress: AuditProgress) => void): void {
    this.tell = tell;
    this.examples = 0;
    this.fraction = 0;
    this.startedAt = Date.now();
    this.toldAt = 0;
  }

  bench(counts: Progress): void {
    this.counts = counts;
    this.maybeTell();
  }

  /** The examples up to this one are measured. */
  example(example: Example): void {
    this.examples = example.row + 1;
    const byLimit = this.limit === undefined ? 0 : this.examples / this.limit;
    const byPlace = example.place ? (example.place.offset + example.place.length) / this.fileSize : undefined;
    this.fraction =
      byPlace === undefined && byLimit === 0 ? undefined : Math.min(1, Math.max(byLimit, byPlace ?? 0));
    this.maybeTell();
  }

  finish(): void {
    this.fraction = 1;
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
    if (this.fraction !== undefined) {
      progress.fraction = this.fraction;
      if (this.fraction > 0) {
        progress.secondsLeft = ((now - this.startedAt) / 1000) * (1 / this.fraction - 1);
      }
    }
    this.tell(progress);
  }
}
