/** Tracks line shifts since a run. */
export class LineMoves {
  private readonly edits: { after: number; by: number }[] = [];

  constructor(readonly run: string) {}

  /** Records that `text` replaced the lines `from` to `to`. */
  note(from: number, to: number, text: string): void {
    const by = text.split('\n').length - 1 - (to - from);
    if (by !== 0) this.edits.push({ after: from, by });
  }

  /** The current number of a line of the audited file. */
  after(line: number): number {
    return this.edits.reduce(
      (now, edit) => (now > edit.after ? Math.max(edit.after, now + edit.by) : now),
      line,
    );
  }

  /** The audited file's line that is now at `line`. */
  before(line: number): number {
    return this.edits.reduceRight(
      (then, edit) => (then > edit.after ? Math.max(edit.after, then - edit.by) : then),
      line,
    );
  }
}
