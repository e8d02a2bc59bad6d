import { type Framer, type RowHandler, longestRow, tooLongMessage } from './framer';
import type { Cursor } from './position';
import { Window } from './window';

const lineFeed = 0x0a;

/** JSON Lines: one row per line. Blank lines and comment lines are skipped. */
export class LineFramer implements Framer {
  private readonly window = new Window();
  /** Where the search for a line end resumes. */
  private searched = 0;
  /** Whether the position is inside a line that is too long to keep. */
  private skipping = false;

  constructor(
    private readonly handler: RowHandler,
    private readonly cursor: Cursor,
    private readonly longest = longestRow,
  ) {}

  feed(chunk: Uint8Array): void {
    this.window.append(chunk);
    const { bytes, length } = this.window;
    const used = bytes.subarray(0, length);
    let start = 0;
    for (;;) {
      const to = used.indexOf(lineFeed, Math.max(start, this.searched));
      if (to < 0) break;
      this.line(start, to);
      this.cursor.advance(bytes, start, to + 1);
      start = to + 1;
    }
    if (length - start > this.longest) {
      this.line(start, length);
      this.skipping = true;
      this.cursor.advance(bytes, start, length);
      start = length;
    }
    this.window.discard(start);
    this.searched = this.window.length;
  }

  end(): void {
    const { bytes, length } = this.window;
    this.line(0, length);
    this.cursor.advance(bytes, 0, length);
    this.window.discard(length);
  }

  /** Passes a line to the handler as a row, without surrounding white space. */
  private line(from: number, to: number): void {
    if (this.skipping) {
      this.skipping = false;
      return;
    }
    const { bytes } = this.window;
    let start = from;
    let end = to;
    while (start < end && isBlank(bytes[start])) start++;
    while (end > start && isBlank(bytes[end - 1])) end--;
    if (start === end) return;
    if (end - start > 1 && bytes[start] === 0x2f && bytes[start + 1] === 0x2f) return;
    let origin = this.cursor;
    if (start > from) {
      origin = origin.clone();
      origin.advance(bytes, from, start);
    }
    const row = { bytes, start, end, origin };
    const wrong = end - start > this.longest ? tooLongMessage(this.longest) : this.handler.row(row);
    if (wrong !== undefined) this.handler.broken(row, wrong);
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
