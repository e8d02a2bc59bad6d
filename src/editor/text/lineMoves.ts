/** Tracks how edits since a run have moved the lines of a document. */
export class LineMoves {
  private readonly edits: { after: number; by: number }[] = [];

  constructor(readonly run: string) {}

  /** Records that `text` replaced the lines `from` to `to`. */
  note(from: number, to: number, text: string): void {
    const by = text.split('\n').length - 1 - (to - from);
    if (by !== 0) this.edits.push({ after: from, by });
  }

  /** Converts a line number of the audited file to the current line number. */
  after(line: number): number {
    return this.edits.reduce(
      (now, edit) => (now > edit.after ? Math.max(edit.after, now + edit.by) : now),
      line,
    );
  }

  /** Converts a current line number to the line number in the audited file. */
  before(line: number): number {
    return this.edits.reduceRight(
      (then, edit) => (then > edit.after ? Math.max(edit.after, then - edit.by) : then),
      line,
    );
  }
}
