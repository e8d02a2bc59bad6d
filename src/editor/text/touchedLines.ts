/** The most lines that are tracked. An edit of more lines is usually pasted text, which has no scores. */
const most = 1000;

/** Tracks the current line numbers of edited lines. */
export class TouchedLines {
  private lines: number[] = [];

  /** Records that `text` replaced the lines `from` to `to`. */
  note(from: number, to: number, text: string): void {
    const added = text.split('\n').length - 1;
    const by = added - (to - from);
    const kept = this.lines.filter((line) => line < from || line > to);
    const fresh = Array.from({ length: Math.min(added + 1, most) }, (_, i) => from + i);
    this.lines = [...kept.map((line) => (line > to ? line + by : line)), ...fresh]
      .sort((a, b) => a - b)
      .slice(0, most);
  }

  hasBetween(from: number, to: number): boolean {
    return this.lines.some((line) => line >= from && line <= to);
  }

  /** Ranges of edited lines. Edited lines that are less than `gap` lines apart are in one range. */
  ranges(gap: number): { from: number; to: number }[] {
    const ranges: { from: number; to: number }[] = [];
    for (const line of this.lines) {
      const last = ranges.at(-1);
      if (last !== undefined && line - last.to < gap) last.to = line;
      else ranges.push({ from: line, to: line });
    }
    return ranges;
  }
}
