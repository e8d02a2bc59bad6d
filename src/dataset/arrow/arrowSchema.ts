import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import type { FlatTable } from './flatTable';

/** How the values of a column are stored. `unread` ones are read as null, but their buffers count. */
export type ArrowType =
  | { kind: 'null' | 'bool' | 'struct' }
  | { kind: 'int'; bits: number; signed: boolean }
  | { kind: 'float'; bits: number }
  | { kind: 'decimal'; bits: number; scale: number }
  | { kind: 'moment'; bits: number; perSecond: number }
  | { kind: 'bytes'; isText: boolean; wide: boolean }
  | { kind: 'views'; isText: boolean }
  | { kind: 'list'; wide: boolean }
  | { kind: 'listView'; wide: boolean }
  | { kind: 'fixedList'; size: number }
  | { kind: 'fixedBytes'; size: number }
  | { kind: 'unread'; buffers: number };

export type OfKind<K extends ArrowType['kind']> = Extract<ArrowType, { kind: K }>;
export type ArrowNumber = OfKind<'int' | 'float' | 'decimal' | 'moment'>;

export interface ArrowField {
  name: string;
  type: ArrowType;
  children: readonly ArrowField[];
  /** The values are numbers of this type: places in the dictionary with this id. */
  dictionary?: { id: number; index: ArrowType };
}

const mostFields = 10_000;
const deepest = 32;

/** The version of the format since which unions have no validity. */
const version5 = 4;
const bigEndian = 1;

export function fieldsOfSchema(schema: FlatTable, version: number): ArrowField[] {
  if (schema.short(0) === bigEndian) throw new Reason(say('dataset.arrowBigEndian'));
  let count = 0;
  const fieldOf = (field: FlatTable, depth: number): ArrowField => {
    if (++count > mostFields || depth > deepest)
      throw new Reason(say('dataset.arrowTooManyFields', mostFields));
    const dictionary = field.table(4);
    return {
      name: field.text(0) ?? '',
      type: typeOf(field.byte(2), field.table(3), version),
      children: field.tables(5).map((child) => fieldOf(child, depth + 1)),
      ...(dictionary && { dictionary: { id: dictionary.long(0), index: indexOf(dictionary.table(1)) } }),
    };
  };
  return schema.tables(1).map((field) => fieldOf(field, 0));
}

function indexOf(type: FlatTable | undefined): ArrowType {
  if (type === undefined) return { kind: 'int', bits: 32, signed: true };
  return { kind: 'int', bits: type.int(0), signed: type.byte(1) !== 0 };
}

const perSecond = [1, 1e3, 1e6, 1e9];

/** The type with a number in Arrow's union `Type`. */
function typeOf(number: number, type: FlatTable | undefined, version: number): ArrowType {
  switch (number) {
    case 1:
      return { kind: 'null' };
    case 2:
      return indexOf(type);
    case 3:
      return { kind: 'float', bits: 16 << (type?.short(0) ?? 0) };
    case 4:
    case 5:
      return { kind: 'bytes', isText: number === 5, wide: false };
    case 6:
      return { kind: 'bool' };
    case 7:
      return { kind: 'decimal', bits: type?.int(2, 128) ?? 128, scale: type?.int(1) ?? 0 };
    case 8:
      return type?.short(0, 1) === 0
        ? { kind: 'moment', bits: 32, perSecond: 1 / 86_400 }
        : { kind: 'moment', bits: 64, perSecond: 1e3 };
    case 9:
      return { kind: 'int', bits: type?.int(1, 32) ?? 32, signed: true };
    case 10:
      return { kind: 'moment', bits: 64, perSecond: perSecond[type?.short(0) ?? 0] ?? 1 };
    case 11:
      return { kind: 'unread', buffers: 2 };
    case 12:
    case 17:
      return { kind: 'list', wide: false };
    case 13:
      return { kind: 'struct' };
    case 14: {
      const validity = version < version5 ? 1 : 0;
      return { kind: 'unread', buffers: validity + 1 + (type?.short(0) ?? 0) };
    }
    case 15:
      return { kind: 'fixedBytes', size: type?.int(0) ?? 0 };
    case 16:
      return { kind: 'fixedList', size: type?.int(0) ?? 0 };
    case 18:
      return { kind: 'int', bits: 64, signed: true };
    case 19:
    case 20:
      return { kind: 'bytes', isText: number === 20, wide: true };
    case 21:
      return { kind: 'list', wide: true };
    case 22:
      return { kind: 'unread', buffers: 0 };
    case 23:
    case 24:
      return { kind: 'views', isText: number === 24 };
    case 25:
    case 26:
      return { kind: 'listView', wide: number === 26 };
    default:
      throw new Reason(say('dataset.arrowTypeUnknown', number));
  }
}
