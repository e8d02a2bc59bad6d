import type { Progress } from './bench';

const span = 5000;
const reportEvery = 100;

/** Counts items, and reports at most ten times a second. The rate's clock is not the system's time. */
export class Meter {
  private readonly progress = { asked: 0, done: 0, fromStore: 0 };
  private marks: { time: number; encoded: number }[] = [];
  private encoded = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onProgress: ((progress: Progress) => void) | undefined) {}

  /** Counts requested items that must be measured. */
  asked(count: number): void {
    if (count === 0) return;
    this.progress.asked += count;
    this.changed();
  }

  /** Counts requested items that were in the store. */
  found(count: number): void {
    if (count === 0) return;
    this.progress.asked += count;
    this.progress.done += count;
    this.progress.fromStore += count;
    this.changed();
  }

  measured(count: number): void {
    const now = performance.now();
    if (this.marks.length === 0) this.marks.push({ time: now, encoded: this.encoded });
    this.encoded += count;
    this.progress.done += count;
    this.marks.push({ time: now, encoded: this.encoded });
    while (this.marks.length > 2 && now - this.marks[1].time > span) this.marks.shift();
    this.changed();
  }

  /** Starts the clock when encoding begins. */
  begin(): void {
    const last = this.marks.at(-1);
    const now = performance.now();
    // After a pause the clock starts again, because the rate must not include the pause.
    if (last === undefined || now - last.time > span) this.marks = [{ time: now, encoded: this.encoded }];
  }

  finish(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.report();
  }

  private changed(): void {
    if (this.onProgress !== undefined) this.timer ??= setTimeout(() => this.report(), reportEvery);
  }

  private report(): void {
    this.timer = undefined;
    const first = this.marks.at(0);
    const last = this.marks.at(-1);
    const rate =
      first !== undefined && last !== undefined && last.time > first.time
        ? ((last.encoded - first.encoded) / (last.time - first.time)) * 1000
        : undefined;
    this.onProgress?.({ ...this.progress, ...(rate === undefined ? {} : { rate }) });
  }
}
