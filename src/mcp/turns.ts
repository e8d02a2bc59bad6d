import { cancelled, usageError } from '../base/errors';

/** Runs at most `most` pieces of work at a time. A bounded number of others wait, and more are rejected. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly mostWaiting: number,
  ) {}

  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.running < this.most) this.running++;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      // The place is handed over, so that no newer call can take it.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled();
    if (this.waiting.length >= this.mostWaiting)
      throw usageError(
        `Too many calls are waiting: ${this.mostWaiting}.`,
        `Wait for earlier answers, then call again.`,
      );
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(cancelled());
      };
      const next = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.push(next);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
