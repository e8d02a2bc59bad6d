/** More than a person edits by hand; what a paste of thousands of rows brings was never scored. */
const most = 1000;

/** Lines that were edited, where they are now. */
export class TouchedLines {
  private lines: number[] = [];

  /** The lines `from` to `to` were replaced by a text, as editors report it. */
  note(from: number, to: number, text: string): void {
    const added = text.split('\n').length - 1;
    const by = added - (to - from);
    const kept = this.lines.filter((line) => line < from || line > to);
    const fresh = Array.from({ length: Math.min(added + 1, most) }, (_, i) => from + i);
    this.lines = [...kept.map((line) => (line > to ? line + by : line)), ...fresh]
      .sort((a, b) => a - b)
      .slice(0, most);
  }

  /** From first to last, those that are less than `gap` apart in one. */
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
