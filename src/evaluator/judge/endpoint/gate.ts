/** Limits concurrent requests. Halves when the server is overloaded; grows by one every `limit` answers. */
export class Gate {
  private running = 0;
  private answers = 0;
  /** Counts down the requests that ran when the limit fell. Until it is 0, the limit stays. */
  private old = 0;
  private readonly queue: (() => void)[] = [];

  constructor(
    readonly most: number,
    private limit = most,
  ) {}

  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.running < this.limit) this.running++;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      const result = await act();
      if (this.old === 0) this.grow();
      return result;
    } finally {
      this.running--;
      if (this.old > 0) this.old--;
      while (this.running < this.limit && this.queue.length > 0) {
        this.running++;
        this.queue.shift()!();
      }
    }
  }

  /** Halves the limit. Call it when the server is overloaded or does not answer in time. */
  slower(): void {
    if (this.old > 0) return;
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    this.answers = 0;
    this.old = this.running;
  }

  private grow(): void {
    if (++this.answers < this.limit) return;
    this.answers = 0;
    this.limit = Math.min(this.most, this.limit + 1);
  }
}
