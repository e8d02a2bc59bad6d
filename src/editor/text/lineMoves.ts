/** How lines have moved since a run: every edit that added or removed some. */
export class LineMoves {
  private readonly edits: { after: number; by: number }[] = [];

  constructor(readonly run: string) {}

  /** The lines `from` to `to` were replaced by a text, as editors report it. */
  note(from: number, to: number, text: string): void {
    const by = text.split('\n').length - 1 - (to - from);
    if (by !== 0) this.edits.push({ after: from, by });
  }

  /** Where a line of then is now. */
  after(line: number): number {
    return this.edits.reduce(
      (now, edit) => (now > edit.after ? Math.max(edit.after, now + edit.by) : now),
      line,
    );
  }

  /** Where a line of now was then. */
  before(line: number): number {
    return this.edits.reduceRight(
      (then, edit) => (then > edit.after ? Math.max(edit.after, then - edit.by) : then),
      line,
    );
  }
}

/** The ways a caption may be written in a file: as it is, as JSON escapes it, as CSV doubles its quotes. */
export function writings(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), text.replaceAll('"', '""')];
}

export function isIn(source: string, text: string): boolean {
  return writings(text).some((written) => source.includes(written));
}
