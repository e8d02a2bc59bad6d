import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import type { ArrowField, ArrowType } from './arrowSchema';
import type { FlatTable } from './flatTable';

/** Bytes of the file. */
export interface Span {
  start: number;
  length: number;
}

/** A column of a record batch, or of the values inside another column. */
export interface ArrowColumn {
  field: ArrowField;
  /** The stored type: that of the places if the column has a dictionary. */
  type: ArrowType;
  rows: number;
  hasNulls: boolean;
  buffers: readonly Span[];
  children: readonly ArrowColumn[];
}

export interface ArrowBatch {
  rows: number;
  columns: readonly ArrowColumn[];
}

/** The places of a record batch's columns in the file. Throws a Reason if they are not inside its body. */
export function batchOf(table: FlatTable, fields: readonly ArrowField[], body: Span): ArrowBatch {
  if (table.table(3) !== undefined) throw new Reason(say('dataset.arrowCompressed'));
  const rows = table.long(0);
  const nodes = table.longs(1, 2);
  const places = table.longs(2, 2);
  const variadic = table.longs(4, 1);
  let [node, place, views] = [0, 0, 0];
  const takeBuffer = (): Span => {
    const [offset, length] = places.slice(2 * place++);
    if (!(offset >= 0 && length >= 0 && offset + length <= body.length)) throw invalid();
    return { start: body.start + offset, length };
  };
  const take = (field: ArrowField): ArrowColumn => {
    const [own, nulls] = nodes.slice(2 * node++);
    const type = field.dictionary?.index ?? field.type;
    if (!(own >= 0 && own <= Number.MAX_SAFE_INTEGER)) throw invalid();
    const count = type.kind === 'views' ? 2 + (variadic[views++] ?? NaN) : buffersOf(type);
    if (!(count >= 0 && count <= places.length)) throw invalid();
    const buffers = Array.from({ length: count }, takeBuffer);
    const inner = field.dictionary === undefined ? field.children : [];
    return { field, type, rows: own, hasNulls: nulls !== 0, buffers, children: inner.map(take) };
  };
  const columns = fields.map(take);
  // Any column with values has at least a bit for each row.
  if (!(rows >= 0 && rows <= 8 * body.length) || columns.some((column) => column.rows !== rows))
    throw invalid();
  return { rows, columns };
}

function buffersOf(type: ArrowType): number {
  switch (type.kind) {
    case 'null':
      return 0;
    case 'struct':
    case 'fixedList':
      return 1;
    case 'bytes':
    case 'listView':
      return 3;
    case 'unread':
      return type.buffers;
    default:
      return 2;
  }
}

export function invalid(): Reason {
  return new Reason(say('dataset.arrowBatchInvalid'));
}
