/**
 * Follows a cursor with one request at a time. It skips outdated answers, and then asks only for the latest
 * place. While paused, it does nothing.
 */
export class Follower<P> {
  private wanted: { place: P } | undefined;
  private isAsking = false;
  private isFollowing = false;
  /** Counts pauses, so that an answer from before a pause is recognised. */
  private pauses = 0;

  /** `ask` returns a function that shows its answer. It never rejects. */
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
