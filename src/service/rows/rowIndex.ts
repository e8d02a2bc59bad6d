import type { CallContext } from '../../base/calls';
import { inputError, throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import type { Row } from '../../probe/metric';
import { LeftOutRows, rowIn } from '../../report/rowChecks';
import type { Selection, Verdict } from '../../protocol/rows';
import { type AnyColumn, Column } from '../../base/column';
import { linesByChunk, type RowSource, type RowWords } from './rowSource';
import type { RowView } from '../../probe/view';
import { DrawGroups, joinedRow } from '../../probe/inference/joinedDraws';
import { lineKey } from './lineKey';
import { orderOf, orderSteps, unscoredLast } from './order';
import { type PlacedRow, RowPlaces } from './rowPlaces';

/** Milliseconds of work between two pauses: few pauses cost little, and users do not notice 30 ms. */
const withoutPauseMs = 30;
const utf8 = new TextDecoder();
const verdicts: readonly Verdict[] = ['right', 'wrong', 'tie', 'none'];

export interface FacetColumn {
  values: string[];
  codes: Column<Uint16Array>;
}

/**
 * A rows file as columns: each row's position, and the data for sorting, filtering and charts. The rows themselves
 * stay in the file, because large rows would fill the memory.
 */
export class RowIndex {
  readonly places = new RowPlaces();
  private readonly groups: DrawGroups<PlacedRow>;
  /** The row's line in the dataset file; 0 if unknown. */
  private readonly fileLines = new Column(Uint32Array);
  /** The index of a row's first table line, and the number of the row's table lines. */
  private readonly firstOf = new Column(Uint32Array);
  private readonly linesOf = new Column(Uint16Array);
  /** The image number of each row. Consecutive rows about one image share the number. */
  private readonly imageOf = new Column(Uint32Array);
  private byFileLine: Uint32Array | undefined;
  private lastImage: string | undefined;

  /** The row of each table line. */
  readonly rowOf = new Column(Uint32Array);
  readonly sub = new Column(Uint16Array);
  /** The key of a table line, which identifies the line in other evaluators' reports. */
  private readonly keys = new Column(Float64Array);
  readonly delta = new Column(Float64Array);
  readonly harm = new Column(Float64Array);
  readonly x = new Column(Float32Array);
  readonly y = new Column(Float32Array);
  private readonly verdictCodes = new Column(Uint8Array);
  readonly facets: FacetColumn[];
  readonly leftOut = new LeftOutRows();
  private readonly worst = new Column(Uint32Array);
  /** The most recently requested order. */
  private lastOrder: { sort: Selection['sort']; order: Uint32Array<ArrayBuffer> } | undefined;

  constructor(
    readonly view: RowView,
    private readonly source: RowSource,
    private readonly words: RowWords,
  ) {
    this.facets = view.facets.map(() => ({ values: [], codes: new Column(Uint16Array) }));
    this.groups = new DrawGroups(view);
  }

  get path(): string {
    return this.source.path;
  }

  get count(): number {
    return this.delta.length;
  }

  verdict(index: number): Verdict {
    return verdicts[this.verdictCodes.data[index]];
  }

  key(index: number): number {
    return this.keys.data[index];
  }

  fileLine(index: number): number {
    return this.fileLines.data[this.rowOf.data[index]];
  }

  /** 1 for each row that contains the text, ignoring case. */
  rowsWith(text: string): Uint8Array {
    return this.words.find(text.toLowerCase());
  }

  /**
   * All table lines in the given order. The last order is cached, because every filter needs it. The order "worst"
   * is part of the index file.
   */
  order(sort: Exclude<Selection['sort'], 'file' | 'image'>): Uint32Array {
    if (sort === 'worst' && this.worst.length === this.count) return this.worst.filled;
    if (this.lastOrder?.sort !== sort) this.lastOrder = { sort, order: orderOf(this.sortKey(sort)) };
    return this.lastOrder.order;
  }

  private sortKey(sort: Exclude<Selection['sort'], 'file' | 'image'>): Float64Array {
    const [harm, delta] = [this.harm.filled, this.delta.filled];
    const isUndecided = (at: number): boolean => this.verdict(at) === 'none';
    switch (sort) {
      case 'worst':
      case 'best':
        return unscoredLast(sort === 'best' ? harm : harm.map((value) => -value), delta, isUndecided);
      case 'change':
        return delta.map((value) => (Number.isNaN(value) ? 0 : -Math.abs(value)));
      case 'length':
        return Float64Array.from(
          { length: this.count },
          (_, at) => -this.words.lengthOf(this.rowOf.data[at]),
        );
    }
  }

  get images(): number {
    return this.imageOf.length === 0 ? 0 : this.imageOf.data[this.imageOf.length - 1] + 1;
  }

  /** The image number of a table line. Each row without an image has a separate number. */
  image(index: number): number {
    return this.imageOf.data[this.rowOf.data[index]];
  }

  firstIndex(row: number): number | undefined {
    return this.linesOf.data[row] === 0 ? undefined : this.firstOf.data[row];
  }

  /** Up to `most` rows on these lines of the dataset file, in file order. */
  rowsBetween(from: number, to: number, most: number): number[] {
    const order = this.inFileOrder();
    const out: number[] = [];
    for (let at = this.placeOf(from); at < order.length && out.length < most; at++) {
      if (this.lineOfRow(order[at]) > to) break;
      out.push(order[at]);
    }
    return out;
  }

  /**
   * Finds the next row with a wrong result, or the previous one if `back`. Starts from the row of
   * table line `index` if given, otherwise from `line` of the dataset file.
   */
  miss({ line, index, back }: { line: number; index?: number; back: boolean }): number | undefined {
    const order = this.inFileOrder();
    const step = back ? -1 : 1;
    const own = index === undefined ? -1 : order.indexOf(this.rowOf.data[index]);
    const beyond = back ? this.placeOf(line) - 1 : this.placeOf(line + 1);
    for (let at = own < 0 ? beyond : own + step; at >= 0 && at < order.length; at += step)
      if (this.hasMiss(order[at])) return order[at];
    return undefined;
  }

  private hasMiss(row: number): boolean {
    const first = this.firstOf.data[row];
    for (let at = first; at < first + this.linesOf.data[row]; at++)
      if (this.verdict(at) === 'wrong') return true;
    return false;
  }

  /** Rows in the order of the dataset file, without rows whose line is unknown. */
  private inFileOrder(): Uint32Array {
    const lines = this.fileLines.data;
    this.byFileLine ??= Uint32Array.from({ length: this.fileLines.length }, (_, row) => row)
      .filter((row) => lines[row] > 0)
      .sort((a, b) => lines[a] - lines[b] || a - b);
    return this.byFileLine;
  }

  /** The position of the first row on this line or a later line, in file order. */
  private placeOf(line: number): number {
    const order = this.inFileOrder();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lineOfRow(order[middle]) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  lineOfRow(row: number): number {
    return this.fileLines.data[row];
  }

  row(index: number): Promise<Row> {
    return this.rowAt(this.rowOf.data[index]);
  }

  async rowAt(row: number): Promise<Row> {
    const rows = this.places.of(row).map(async ({ offset, length }) => {
      const found = rowIn(utf8.decode(await this.source.read(offset, length)), this.view.row);
      if ('row' in found) return found.row;
      throw inputError(say('service.rowsLineInvalid', found.why), say('editor.runAuditAgain'), this.path);
    });
    return joinedRow(this.view, await Promise.all(rows));
  }

  close(): Promise<void> {
    this.words.close();
    return this.source.close();
  }

  /** All columns in the index file's order. */
  get columns(): AnyColumn[] {
    return [
      ...[...this.places.columns, this.fileLines, this.firstOf, this.linesOf, this.imageOf],
      ...[this.rowOf, this.sub, this.delta, this.harm, this.x, this.y, this.verdictCodes, this.worst],
      this.keys,
      ...[...this.facets.map(({ codes }) => codes), ...this.words.columns],
    ];
  }

  /** The number of rows of the file, including invalid ones. */
  get rowCount(): number {
    return this.places.places + this.leftOut.count;
  }

  /** Called after the columns were restored from a saved index. `values` are the facets' values. */
  restored(values: readonly string[][]): void {
    for (const [i, facet] of this.facets.entries()) facet.values = values[i];
  }

  /** Reads every row once, with pauses for other work. */
  async fill({ signal, step }: Partial<CallContext> = {}): Promise<void> {
    let line = 0;
    let since = performance.now();
    const breathe = async (): Promise<void> => {
      if (performance.now() - since > withoutPauseMs) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        since = performance.now();
      }
      throwIfCancelled(signal);
      step?.();
    };
    for await (const lines of linesByChunk(this.source.chunks())) {
      await breathe();
      for (const { bytes, offset } of lines) this.add(bytes, offset, ++line);
    }
    for (const group of this.groups.rest()) this.addRow(group);
    const steps = orderSteps(this.sortKey('worst'));
    let sorted = steps.next();
    for (; !sorted.done; sorted = steps.next()) await breathe();
    this.worst.append(sorted.value);
  }

  private imageNumber(name: string | undefined): number {
    const isLast = name !== undefined && name === this.lastImage;
    this.lastImage = name;
    return isLast ? this.images - 1 : this.images;
  }

  private add(bytes: Uint8Array, offset: number, line: number): void {
    if (bytes.length === 0) return;
    const found = rowIn(utf8.decode(bytes), this.view.row);
    if ('why' in found) {
      this.leftOut.add({ line, why: found.why });
      return;
    }
    const placed = { row: found.row, offset, length: bytes.length };
    for (const group of this.groups.add(placed)) this.addRow(group);
  }

  private addRow(group: readonly PlacedRow[]): void {
    const row = joinedRow(
      this.view,
      group.map((one) => one.row),
    );
    const at = this.places.rows;
    this.places.push(group);
    this.fileLines.push(this.view.fileLine(row) ?? 0);
    this.words.push(this.view.words(row).toLowerCase());
    const all = this.view.facts(row);
    this.imageOf.push(this.imageNumber(all.length > 0 ? row.image : undefined));
    this.firstOf.push(this.count);
    this.linesOf.push(all.length);
    const key = JSON.stringify([row.example, this.view.key?.(row) ?? null]);
    for (const [sub, facts] of all.entries()) {
      this.rowOf.push(at);
      this.sub.push(sub);
      this.keys.push(lineKey(`${key} ${this.view.lineKey?.(row, sub) ?? sub}`));
      this.delta.push(facts.delta ?? NaN);
      this.harm.push(facts.harm);
      this.x.push(facts.point?.[0] ?? NaN);
      this.y.push(facts.point?.[1] ?? NaN);
      this.verdictCodes.push(verdicts.indexOf(facts.verdict));
      for (const [i, facet] of this.facets.entries()) facet.codes.push(codeOf(facet, facts.facets[i]));
    }
  }
}

function codeOf(facet: FacetColumn, value: string): number {
  // A list search is faster than a map for so few values.
  const known = facet.values.indexOf(value);
  return known >= 0 ? known : facet.values.push(value) - 1;
}
