import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { Cell, type CellValue, Fields } from '../cell';
import { type ArrowColumn, invalid, type Span } from './arrowBatch';
import { numberOf } from './arrowNumbers';
import type { ArrowNumber, ArrowType, OfKind } from './arrowSchema';

/** The most values and bytes that one reading may make. A damaged file can declare any number. */
const mostValues = 1 << 22;
const mostBytes = 1 << 30;
/** Values nested deeper than this in lists and structs are read as null. */
const deepest = 8;
/** Long texts of `views` are read at once if they are this close to each other. */
const closeBy = 1 << 16;

/** What values are read from. */
export interface ArrowSource {
  bytes(span: Span): Promise<Uint8Array>;
  dictionary(id: number): Promise<readonly CellValue[]>;
}

/** Reads the values of columns, only the bytes of the wanted rows. */
export class ArrowValues {
  private values = 0;
  private read = 0;

  constructor(private readonly source: ArrowSource) {}

  /** The values from `from` up to, but excluding, `to`. */
  async of(column: ArrowColumn, from: number, to: number, depth = 0): Promise<CellValue[]> {
    const { field, type } = column;
    if (!(from >= 0 && to >= from && to <= column.rows)) throw invalid();
    this.values += to - from;
    if (this.values > mostValues) throw new Reason(say('dataset.arrowTooLarge'));
    if (type.kind === 'null' || type.kind === 'unread' || depth > deepest || to === from)
      return new Array<CellValue>(to - from).fill(null);
    const found = await this.stored(type, column, from, to, depth);
    const isValid = await this.validity(column, from, to);
    const values = found.map((value, i) => (isValid(i) ? value : null));
    if (field.dictionary === undefined) return values;
    const known = await this.source.dictionary(field.dictionary.id);
    return values.map((place) => {
      if (place === null) return null;
      if (typeof place !== 'number' || !(place >= 0 && place < known.length)) throw invalid();
      return known[place];
    });
  }

  private stored(
    type: ArrowType,
    column: ArrowColumn,
    from: number,
    to: number,
    depth: number,
  ): Promise<CellValue[]> {
    switch (type.kind) {
      case 'bytes':
        return this.bytes(type, column, from, to);
      case 'views':
        return this.views(type, column, from, to);
      case 'list':
        return this.lists(type, column, from, to, depth);
      case 'listView':
        return this.listViews(type, column, from, to, depth);
      case 'fixedList':
        return this.fixedLists(type, column, from, to, depth);
      case 'struct':
        return this.structs(column, from, to, depth);
      case 'fixedBytes':
        return this.fixed(type.size, column, from, to, (bytes) => bytes.slice());
      case 'bool':
        return this.bits(column.buffers[1], from, to);
      default:
        return this.numbers(type as ArrowNumber, column, from, to);
    }
  }

  private async part({ start, length }: Span, from: number, count: number): Promise<DataView> {
    if (!(from >= 0 && count >= 0 && from + count <= length)) throw invalid();
    this.read += count;
    if (this.read > mostBytes) throw new Reason(say('dataset.arrowTooLarge'));
    const bytes = await this.source.bytes({ start: start + from, length: count });
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private async validity(column: ArrowColumn, from: number, to: number): Promise<(i: number) => boolean> {
    const [span] = column.buffers;
    // A writer may leave out the buffer if all values are valid.
    if (!column.hasNulls || span === undefined || span.length === 0) return () => true;
    const bits = await this.bits(span, from, to);
    return (i) => bits[i] === true;
  }

  private async bits(span: Span, from: number, to: number): Promise<boolean[]> {
    const first = from >> 3;
    const view = await this.part(span, first, ((to + 7) >> 3) - first);
    return Array.from({ length: to - from }, (_, i) => {
      const at = from + i;
      return ((view.getUint8((at >> 3) - first) >> (at & 7)) & 1) === 1;
    });
  }

  private async fixed(
    width: number,
    { buffers }: ArrowColumn,
    from: number,
    to: number,
    make: (bytes: Uint8Array) => CellValue,
  ): Promise<CellValue[]> {
    const { buffer, byteOffset } = await this.part(buffers[1], from * width, (to - from) * width);
    return Array.from({ length: to - from }, (_, i) =>
      make(new Uint8Array(buffer, byteOffset + i * width, width)),
    );
  }

  private numbers(type: ArrowNumber, column: ArrowColumn, from: number, to: number): Promise<CellValue[]> {
    if (![8, 16, 32, 64, 128, 256].includes(type.bits)) throw invalid();
    return this.fixed(type.bits / 8, column, from, to, (bytes) => numberOf(type, bytes));
  }

  private async offsets(span: Span, from: number, to: number, wide: boolean): Promise<number[]> {
    const width = wide ? 8 : 4;
    const view = await this.part(span, from * width, (to - from) * width);
    return Array.from({ length: to - from }, (_, i) =>
      wide ? Number(view.getBigInt64(8 * i, true)) : view.getInt32(4 * i, true),
    );
  }

  /** The bounds of each row's values, which follow one another. */
  private async bounds(span: Span, from: number, to: number, wide: boolean): Promise<number[]> {
    const bounds = await this.offsets(span, from, to + 1, wide);
    if (bounds.some((bound, i) => bound < (i === 0 ? 0 : bounds[i - 1]))) throw invalid();
    return bounds;
  }

  private async bytes(
    { isText, wide }: OfKind<'bytes'>,
    { buffers: [, offsets, data] }: ArrowColumn,
    from: number,
    to: number,
  ): Promise<CellValue[]> {
    const bounds = await this.bounds(offsets, from, to, wide);
    const [first] = bounds;
    const { buffer, byteOffset } = await this.part(data, first, bounds[to - from] - first);
    return bounds.slice(1).map((end, i) => {
      const start = bounds[i];
      return valueOf(new Uint8Array(buffer, byteOffset + start - first, end - start), isText);
    });
  }

  /** Short values lie in the view itself, long ones in one of several buffers. */
  private async views(
    { isText }: OfKind<'views'>,
    { buffers: [, views, ...data] }: ArrowColumn,
    from: number,
    to: number,
  ): Promise<CellValue[]> {
    const view = await this.part(views, 16 * from, 16 * (to - from));
    const places = Array.from({ length: to - from }, (_, i) => ({
      size: view.getInt32(16 * i, true),
      data: view.getInt32(16 * i + 8, true),
      start: view.getInt32(16 * i + 12, true),
    }));
    const read = new Map<number, { start: number; view: DataView }>();
    for (const [i, span] of data.entries()) {
      const own = places.filter(({ size, data: at }) => size > 12 && at === i);
      if (own.length === 0) continue;
      const start = own.reduce((least, one) => Math.min(least, one.start), Infinity);
      const end = own.reduce((most, one) => Math.max(most, one.start + one.size), 0);
      const needed = own.reduce((sum, { size }) => sum + size, 0);
      if (end - start <= 2 * needed + closeBy)
        read.set(i, { start, view: await this.part(span, start, end - start) });
    }
    const values: CellValue[] = [];
    for (const [i, { size, data: at, start }] of places.entries()) {
      if (size < 0 || (size > 12 && !(at >= 0 && at < data.length))) throw invalid();
      const held = size > 12 ? read.get(at) : { start: -16 * i - 4, view };
      const whole = held ?? { start, view: await this.part(data[at], start, size) };
      const inner = size > 12 ? start - whole.start : 16 * i + 4;
      values.push(valueOf(new Uint8Array(whole.view.buffer, whole.view.byteOffset + inner, size), isText));
    }
    return values;
  }

  private async lists(
    { wide }: OfKind<'list'>,
    { buffers: [, offsets], children: [child] }: ArrowColumn,
    from: number,
    to: number,
    depth: number,
  ): Promise<CellValue[]> {
    const bounds = await this.bounds(offsets, from, to, wide);
    const [first] = bounds;
    const items = cells(await this.of(child, first, bounds[to - from], depth + 1));
    return bounds.slice(1).map((end, i) => items.slice(bounds[i] - first, end - first));
  }

  private async listViews(
    { wide }: OfKind<'listView'>,
    { buffers: [, offsets, sizes], children: [child] }: ArrowColumn,
    from: number,
    to: number,
    depth: number,
  ): Promise<CellValue[]> {
    const starts = await this.offsets(offsets, from, to, wide);
    const lengths = await this.offsets(sizes, from, to, wide);
    const lists: CellValue[] = [];
    for (const [i, start] of starts.entries())
      lists.push(cells(await this.of(child, start, start + lengths[i], depth + 1)));
    return lists;
  }

  private async fixedLists(
    { size }: OfKind<'fixedList'>,
    { children: [child] }: ArrowColumn,
    from: number,
    to: number,
    depth: number,
  ): Promise<CellValue[]> {
    const items = cells(await this.of(child, from * size, to * size, depth + 1));
    return Array.from({ length: to - from }, (_, i) => items.slice(i * size, (i + 1) * size));
  }

  private async structs(
    { children }: ArrowColumn,
    from: number,
    to: number,
    depth: number,
  ): Promise<CellValue[]> {
    const names = children.map(({ field }) => field.name);
    const columns: Cell[][] = [];
    for (const child of children) columns.push(cells(await this.of(child, from, to, depth + 1)));
    return Array.from(
      { length: to - from },
      (_, i) =>
        new Fields(
          names,
          columns.map((column) => column[i]),
        ),
    );
  }
}

/** Values without a place in a text. */
export function cells(values: readonly CellValue[]): Cell[] {
  return values.map((value) => new Cell(value, -1, -1));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes are copied, because a view would keep the bytes of other rows in memory. */
function valueOf(bytes: Uint8Array, isText: boolean): CellValue {
  return isText ? decoder.decode(bytes) : bytes.slice();
}
