/**
 * Follows a cursor with one request at a time. An answer that is out of date is dropped, and only the latest place is
 * asked for next. While paused, it does nothing.
 */
export class Follower<P> {
  private wanted: { place: P } | undefined;
  private isAsking = false;
  private isFollowing = false;
  /** Counts the pauses: an answer from before one is out of date. */
  private pauses = 0;

  /** `ask` returns how to show its answer, and does not reject. */
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
