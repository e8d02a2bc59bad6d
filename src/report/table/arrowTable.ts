import { type FlatValues, FlatWriter } from './flatWriter';
import { type ColumnKind, groupsOf, notesOf, type Table, type TableCell, type TableImage } from './table';

/* Numbers of the format's unions `Type` and `MessageHeader`. */
const [floatingPoint, binary, utf8, bool, list, struct] = [3, 4, 5, 6, 12, 13];
const [schemaMessage, batchMessage] = [1, 3];
const version5 = 4;
const double = 2;

/** A column as Arrow stores it: nodes and buffers of itself, then of its children. */
interface Stored {
  nodes: number[];
  buffers: Buffer[];
}

/** A table as an Arrow stream, with one record batch at a time in memory. */
export async function* arrowTable(table: Table): AsyncGenerator<Uint8Array> {
  const fields = [...table.columns].map(([name, kind]) => fieldOf(name, kind));
  const notes = notesOf(table).map(([key, value]): FlatValues => [{ text: key }, { text: value }]);
  yield message(schemaMessage, [undefined, { tables: fields }, { tables: notes }], 0);
  const kinds = [...table.columns.values()];
  for await (const group of groupsOf(table)) {
    const columns = kinds.map((kind, i) => storedAs[kind](group.map((row) => row[i])));
    const buffers = columns.flatMap((column) => column.buffers);
    const places: number[] = [];
    let size = 0;
    for (const { length } of buffers) {
      places.push(size, length);
      size += upTo8(length);
    }
    const nodes = columns.flatMap((column) => column.nodes);
    yield message(
      batchMessage,
      [{ long: group.length }, { longs: nodes, width: 2 }, { longs: places, width: 2 }],
      size,
    );
    for (const buffer of buffers) {
      yield buffer;
      yield Buffer.alloc(upTo8(buffer.length) - buffer.length);
    }
  }
  yield Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
}

function message(kind: number, header: FlatValues, bodyLength: number): Buffer {
  const meta = FlatWriter.root([
    { short: version5 },
    { byte: kind },
    { table: header },
    ...(bodyLength === 0 ? [] : [{ long: bodyLength }]),
  ]);
  const prefix = Buffer.alloc(8, 0xff);
  prefix.writeUInt32LE(meta.length, 4);
  return Buffer.concat([prefix, meta]);
}

function fieldOf(name: string, kind: ColumnKind): FlatValues {
  const field = (type: number, options: FlatValues = [], children: FlatValues[] = []): FlatValues => [
    { text: name },
    { byte: 1 },
    { byte: type },
    { table: options },
    undefined,
    { tables: children },
  ];
  switch (kind) {
    case 'number':
      return field(floatingPoint, [{ short: double }]);
    case 'boolean':
      return field(bool);
    case 'string':
      return field(utf8);
    case 'texts':
      return field(list, [], [fieldOf('item', 'string')]);
    case 'image':
      return field(struct, [], [[{ text: 'bytes' }, ...field(binary).slice(1)], fieldOf('path', 'string')]);
  }
}

const storedAs: Record<ColumnKind, (cells: readonly TableCell[]) => Stored> = {
  number: (cells) => {
    const values = Buffer.alloc(8 * cells.length);
    for (const [i, cell] of cells.entries()) if (cell !== null) values.writeDoubleLE(cell as number, 8 * i);
    return { ...head(cells), buffers: [...head(cells).buffers, values] };
  },
  boolean: (cells) => ({ ...head(cells), buffers: [...head(cells).buffers, bits(cells, true)] }),
  string: (cells) => bytesOf(cells.map((cell) => (cell === null ? null : Buffer.from(cell as string)))),
  texts: (cells) => {
    const { nodes, buffers } = head(cells);
    const lists = cells.map((cell) => (cell ?? []) as readonly string[]);
    const inner = storedAs.string(lists.flat());
    return {
      nodes: [...nodes, ...inner.nodes],
      buffers: [...buffers, offsets(lists), ...inner.buffers],
    };
  },
  image: (cells) => {
    const images = cells as readonly (TableImage | null)[];
    const { nodes, buffers } = head(cells);
    const bytes = bytesOf(images.map((image) => image && Buffer.from(image.bytes)));
    const paths = storedAs.string(images.map((image) => image && image.path));
    return {
      nodes: [...nodes, ...bytes.nodes, ...paths.nodes],
      buffers: [...buffers, ...bytes.buffers, ...paths.buffers],
    };
  },
};

function bytesOf(cells: readonly (Buffer | null)[]): Stored {
  const { nodes, buffers } = head(cells);
  const parts = cells.map((cell) => cell ?? Buffer.alloc(0));
  return { nodes, buffers: [...buffers, offsets(parts), Buffer.concat(parts)] };
}

/** The node of a column, and the bits of its cells that have a value. */
function head(cells: readonly unknown[]): Stored {
  const missing = cells.filter((cell) => cell === null).length;
  const present = missing === 0 ? Buffer.alloc(0) : bits(cells, undefined);
  return { nodes: [cells.length, missing], buffers: [present] };
}

/** A bit for each cell: whether it is `value`, or any value if `value` is undefined. */
function bits(cells: readonly unknown[], value: true | undefined): Buffer {
  const out = Buffer.alloc(Math.ceil(cells.length / 8));
  for (const [i, cell] of cells.entries())
    if (value === undefined ? cell !== null : cell === value) out[i >> 3] |= 1 << (i & 7);
  return out;
}

function offsets(parts: readonly { length: number }[]): Buffer {
  const out = Buffer.alloc(4 * (parts.length + 1));
  let end = 0;
  for (const [i, { length }] of parts.entries()) out.writeInt32LE((end += length), 4 * (i + 1));
  return out;
}

function upTo8(length: number): number {
  return Math.ceil(length / 8) * 8;
}
