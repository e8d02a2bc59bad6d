import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CaptiousError, messageOf } from '../../base/errors';
import type { Row } from '../../probe/probe';
import type { Verdict } from '../../protocol/rows';
import type { RowLens } from './lens';

const verdicts: readonly Verdict[] = ['right', 'wrong', 'tie', 'none'];

/** Typed columns that grow by doubling. */
class Column<A extends Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array> {
  length = 0;

  constructor(
    private readonly make: (length: number) => A,
    public data: A = make(1024),
  ) {}

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = this.make(this.data.length * 2);
      grown.set(this.data as never);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }
}

export interface FacetColumn {
  values: string[];
  codes: Column<Uint16Array>;
}

/**
 * A rows file in columns: where each row stands, and what sorting, filtering and plotting need of each line. Rows
 * themselves are read again when somebody looks at them, so that memory does not grow with their size.
 */
export class RowIndex {
  private readonly rowOffsets = new Column((n) => new Float64Array(n));
  private readonly rowLengths = new Column((n) => new Uint32Array(n));
  /** Line of the dataset file; 0 where the format has none. */
  private readonly fileLines = new Column((n) => new Uint32Array(n));
  private readonly words: string[] = [];
  /** First line of the table that a row gives, and how many. */
  private readonly firstOf = new Column((n) => new Uint32Array(n));
  private readonly linesOf = new Column((n) => new Uint16Array(n));
  private byFileLine: Uint32Array | undefined;

  /** By line of the table. */
  readonly rowOf = new Column((n) => new Uint32Array(n));
  readonly sub = new Column((n) => new Uint16Array(n));
  readonly delta = new Column((n) => new Float64Array(n));
  readonly harm = new Column((n) => new Float64Array(n));
  readonly x = new Column((n) => new Float32Array(n));
  readonly y = new Column((n) => new Float32Array(n));
  private readonly verdictCodes = new Column((n) => new Uint8Array(n));
  readonly facets: FacetColumn[];

  private constructor(
    readonly path: string,
    readonly lens: RowLens,
    private readonly handle: FileHandle,
  ) {
    this.facets = lens.facets.map(() => ({ values: [], codes: new Column((n) => new Uint16Array(n)) }));
  }

  static async open(path: string, lens: RowLens): Promise<RowIndex> {
    let handle: FileHandle;
    try {
      handle = await open(path);
    } catch (cause) {
      throw new CaptiousError('input', `The rows of the report cannot be read: ${messageOf(cause)}.`, {
        at: path,
        remedy: 'Keep the rows file beside its report, or make the report again.',
        cause,
      });
    }
    try {
      const index = new RowIndex(path, lens, handle);
      await index.fill();
      return index;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get count(): number {
    return this.delta.length;
  }

  verdict(index: number): Verdict {
    return verdicts[this.verdictCodes.data[index]];
  }

  fileLine(index: number): number {
    return this.fileLines.data[this.rowOf.data[index]];
  }

  wordsOf(index: number): string {
    return this.words[this.rowOf.data[index]];
  }

  /** First line of the table that belongs to a row. */
  firstIndex(row: number): number | undefined {
    return this.linesOf.data[row] === 0 ? undefined : this.firstOf.data[row];
  }

  /** Numbers of the rows that stand on these lines of the dataset file, in its order, `most` at most. */
  rowsBetween(from: number, to: number, most: number): number[] {
    const lines = this.fileLines.data;
    this.byFileLine ??= Uint32Array.from({ length: this.fileLines.length }, (_, row) => row)
      .filter((row) => lines[row] > 0)
      .sort((a, b) => lines[a] - lines[b] || a - b);
    let [low, high] = [0, this.byFileLine.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[this.byFileLine[middle]] < from) low = middle + 1;
      else high = middle;
    }
    const out: number[] = [];
    for (let at = low; at < this.byFileLine.length && out.length < most; at++) {
      const row = this.byFileLine[at];
      if (lines[row] > to) break;
      out.push(row);
    }
    return out;
  }

  lineOfRow(row: number): number {
    return this.fileLines.data[row];
  }

  row(index: number): Promise<Row> {
    return this.rowAt(this.rowOf.data[index]);
  }

  async rowAt(row: number): Promise<Row> {
    const length = this.rowLengths.data[row];
    const { buffer } = await this.handle.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      this.rowOffsets.data[row],
    );
    return this.parse(buffer, row);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async fill(): Promise<void> {
    let offset = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(this.path, { highWaterMark: 1 << 20 })) {
      const data: Buffer = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
      let from = 0;
      for (let end = data.indexOf(10, from); end >= 0; end = data.indexOf(10, from)) {
        this.add(data.subarray(from, end), offset + from);
        from = end + 1;
      }
      rest = data.subarray(from);
      offset += from;
    }
    if (rest.length > 0) this.add(rest, offset);
  }

  private add(bytes: Buffer, offset: number): void {
    if (bytes.length === 0) return;
    const at = this.rowOffsets.length;
    const row = this.parse(bytes, at);
    this.rowOffsets.push(offset);
    this.rowLengths.push(bytes.length);
    this.fileLines.push(this.lens.fileLine(row) ?? 0);
    this.words.push(this.lens.words(row).toLowerCase());
    const all = this.lens.facts(row);
    this.firstOf.push(this.count);
    this.linesOf.push(all.length);
    for (const [sub, facts] of all.entries()) {
      this.rowOf.push(at);
      this.sub.push(sub);
      this.delta.push(facts.delta);
      this.harm.push(facts.harm);
      this.x.push(facts.point?.[0] ?? NaN);
      this.y.push(facts.point?.[1] ?? NaN);
      this.verdictCodes.push(verdicts.indexOf(facts.verdict));
      for (const [i, facet] of this.facets.entries()) facet.codes.push(codeOf(facet, facts.facets[i]));
    }
  }

  private parse(bytes: Buffer, row: number): Row {
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8'));
      if (typeof value === 'object' && value !== null && typeof (value as Row).example === 'string')
        return value as Row;
    } catch {
      // Said below, with the place.
    }
    throw new CaptiousError('input', 'This is not a row of a report.', {
      at: `${this.path}:${row + 1}`,
      remedy: 'Run the audit again.',
    });
  }
}

function codeOf(facet: FacetColumn, value: string): number {
  // A handful of values, the last ones seen mostly: a list is quicker than a map.
  const known = facet.values.indexOf(value);
  return known >= 0 ? known : facet.values.push(value) - 1;
}
