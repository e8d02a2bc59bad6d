/* Finds the bytes to leave out of a text file so that some of its rows are gone and all others stay as they are. */
import type { FileHandle } from 'node:fs/promises';
import type { TextLayout } from '../layout';
import type { DetectedEncoding } from './encoding';

/** The bytes of a row in the file. */
export interface Span {
  from: number;
  to: number;
  isRemoved: boolean;
}

type Cut = Omit<Span, 'isRemoved'>;

/** A longer text between two rows belongs to neither. */
const longestGap = 1 << 20;

interface Gap {
  text: string;
  from: number;
  /** The bytes of a character. */
  unit: number;
}

/** Byte ranges in ascending order. `rows` are all rows of the file, in its order. */
export async function cuts(
  file: FileHandle,
  rows: readonly Span[],
  { kind }: TextLayout,
  encoding: DetectedEncoding,
): Promise<Cut[]> {
  const reader = new GapReader(file, encoding);
  const isTable = kind === 'lines' || kind === 'delimited';
  return isTable ? linesOf(rows, reader, kind === 'lines') : listed(rows, reader, encoding.bom);
}

/** Each removed row goes with the end of its line. */
async function linesOf(rows: readonly Span[], reader: GapReader, isJson: boolean): Promise<Cut[]> {
  const found: Cut[] = [];
  for (const [i, { from, to, isRemoved }] of rows.entries()) {
    if (!isRemoved) continue;
    const { text, unit } = await reader.read(to, Math.min(rows.at(i + 1)?.from ?? Infinity, to + longestGap));
    const end = (isJson ? /^[ \t\r]*\n/ : /^(?:\r\n|\n|\r)/).exec(text)?.[0].length ?? 0;
    found.push({ from, to: to + end * unit });
  }
  return found;
}

/** Each removed row goes with one comma. In an object, it goes with its key. */
async function listed(rows: readonly Span[], reader: GapReader, start: number): Promise<Cut[]> {
  const found: Cut[] = [];
  let isFirst = true;
  let before = start;
  let open: number | undefined;
  for (const { from, to, isRemoved } of rows) {
    const { follows, lead } = await leadOf(reader, before, from);
    if (!follows) {
      if (open !== undefined) found.push({ from: open, to: before });
      [isFirst, open] = [true, undefined];
    }
    // Before the first row that stays, the text up to the next row goes. After it, the text since the row before.
    if (open !== undefined) found.push({ from: open, to: lead });
    open = isRemoved && isFirst ? lead : undefined;
    if (isRemoved && !isFirst) found.push({ from: before, to });
    if (!isRemoved) isFirst = false;
    before = to;
  }
  if (open !== undefined) found.push({ from: open, to: before });
  return found;
}

/** Whether a row follows another one in the same list, and where the row begins, with its key. */
async function leadOf(
  reader: GapReader,
  before: number,
  from: number,
): Promise<{ follows: boolean; lead: number }> {
  if (from - before > longestGap) return { follows: false, lead: from };
  const gap = await reader.read(before, from);
  const tokens = tokensOf(gap.text);
  const signs = tokens.map(({ sign }) => sign).join('');
  const hasKey = signs.endsWith('":');
  return {
    follows: signs === ',' || signs === ',":',
    lead: hasKey ? gap.from + tokens[tokens.length - 2].at * gap.unit : from,
  };
}

/** The signs and texts outside comments. A text has the sign of its quote. */
function tokensOf(text: string): { sign: string; at: number }[] {
  const token = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|[^\s"]/g;
  return [...text.matchAll(token)].flatMap(({ 0: found, index }) =>
    found.length > 1 && found.startsWith('/') ? [] : [{ sign: found[0], at: index }],
  );
}

/** Reads short texts of a file in ascending order. Each byte, or each pair of bytes in UTF-16, is one character. */
class GapReader {
  private block = Buffer.alloc(0);
  private at = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly encoding: DetectedEncoding,
  ) {}

  async read(from: number, to: number): Promise<Gap> {
    const { encoding } = this.encoding;
    if (from < this.at || to > this.at + this.block.length) {
      const block = Buffer.alloc(Math.max(to - from, 1 << 16));
      const { bytesRead } = await this.file.read(block, 0, block.length, from);
      this.block = block.subarray(0, bytesRead);
      this.at = from;
    }
    const bytes = Buffer.from(this.block.subarray(from - this.at, to - this.at));
    if (encoding === 'utf-8') return { text: bytes.toString('latin1'), from, unit: 1 };
    const even = bytes.subarray(0, bytes.length & ~1);
    if (encoding === 'utf-16be') even.swap16();
    return { text: even.toString('utf16le'), from, unit: 2 };
  }
}
