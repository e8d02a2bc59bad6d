/**
 * Sends a request when a cursor moves, one request at a time. If the cursor moves during a request, ignores the
 * answer and sends a request for the latest place. Sends no requests while paused.
 */
export class Follower<P> {
  private wanted: { place: P } | undefined;
  private isAsking = false;
  private isFollowing = false;
  /** The number of pauses so far. An answer is ignored if a pause began after its request. */
  private pauses = 0;

  /** `ask` never rejects. It returns a function that shows the answer. */
  constructor(private readonly ask: (place: P) => Promise<() => void>) {}

  start(): void {
    this.isFollowing = true;
  }

  pause(): void {
    this.isFollowing = false;
    this.pauses++;
    this.wanted = undefined;
  }

  move(place: P): void {
    if (!this.isFollowing) return;
    this.wanted = { place };
    if (!this.isAsking) void this.catchUp();
  }

  private async catchUp(): Promise<void> {
    this.isAsking = true;
    while (this.wanted !== undefined) {
      const { place } = this.wanted;
      const { pauses } = this;
      this.wanted = undefined;
      const show = await this.ask(place);
      if (this.wanted === undefined && this.pauses === pauses) show();
    }
    this.isAsking = false;
  }
}
