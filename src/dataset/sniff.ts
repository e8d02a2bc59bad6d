import { inputError } from '../base/errors';
import { say } from '../base/say';
import { type Cell, Fields } from './cell';
import { Naming } from './fields/fields';
import { entryFramer, type TextLayout } from './layout';
import type { DetectedEncoding } from './text/encoding';
import type { RawRow } from './text/framer';
import { JsonFramer } from './text/jsonFramer';
import { JsonFault } from './text/jsonBytes';
import { JsonReader } from './text/jsonValue';
import { Cursor } from './text/position';

const openBracket = 0x5b;
const openBrace = 0x7b;
const quote = 0x22;
const comma = 0x2c;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The keys of the lists in COCO's files. */
const cocoSections = ['images', 'annotations', 'categories'];
/** Column names for Flickr8k's judgment files, which have no header row. */
export const annotationColumns = [
  'image',
  'caption_id',
  'judgement_1',
  'judgement_2',
  'judgement_3',
] as const;
const delimiters = ['\t', ',', ';', '|'];
const mostRows = 50;

const anyEncoding: DetectedEncoding = { encoding: 'utf-8', bom: 0 };

/** Guesses a file's layout from its first bytes. `whole`: they are the whole file. Undefined if none fits. */
export function sniffLayout(text: Uint8Array, whole: boolean): TextLayout | undefined {
  const first = firstByte(text);
  if (first === openBracket) return { kind: 'list' };
  if (first === openBrace) return sniffObject(text, whole);
  if (first === undefined || text.subarray(0, 4096).includes(0)) return undefined;
  return sniffDelimited(text);
}

/**
 * Whether a JSON object lists a table column by column, as pandas's to_json does unless told otherwise:
 * {"image": {"0": …}}, {"image": […]}, or {"columns": […], "data": […]}.
 */
function listsColumns(text: Uint8Array): boolean {
  if (firstByte(text) !== openBrace) return false;
  const values = rootValues(text);
  const keys = values.map(({ key }) => key);
  if (values.length === 0) return false;
  if (['columns', 'data'].every((key) => keys.includes(key)))
    return values.every(({ firstByte: first }) => first === openBracket);
  const heads = values.map(({ head }) => Buffer.from(head).toString('latin1'));
  if (heads.every((head) => /^\{\s*"0"\s*:/.test(head))) return !keys.every((key) => /^\d+$/.test(key));
  const named = new Naming(keys);
  const isTable = named.column('image') !== undefined && named.column('caption') !== undefined;
  return isTable && heads.every((head) => /^\[\s*[^[{\s]/.test(head));
}

export function refuseColumns(path: string, text: Uint8Array): void {
  if (!listsColumns(text)) return;
  throw inputError(say('dataset.tableByColumns'), say('dataset.writeRowList'), path);
}

/** The first rows, and the columns in order of appearance. */
export function sampleRows(
  text: Uint8Array,
  whole: boolean,
  layout: TextLayout,
): { rows: { fields: Fields; section?: string }[]; columns: string[] } {
  const rows: { fields: Fields; section?: string }[] = [];
  const columns = new Set<string>(layout.kind === 'delimited' ? layout.header : []);
  const counts = new Map<string | undefined, number>();
  const framer = entryFramer(layout, anyEncoding, {
    header: (names) => {
      for (const name of names) columns.add(name);
    },
    entry: ({ fields, section }) => {
      const seen = (counts.get(section) ?? 0) + 1;
      counts.set(section, seen);
      if (seen > mostRows) return;
      rows.push({ fields, ...(section === undefined ? {} : { section }) });
      for (const name of fields.names) columns.add(name);
    },
    problem: () => undefined,
  });
  framer.feed(text);
  if (whole) framer.end();
  return { rows, columns: [...columns] };
}

/** The first byte after white space and comments; undefined if nothing follows them. */
function firstByte(text: Uint8Array): number | undefined {
  const head = Buffer.from(text.buffer, text.byteOffset, Math.min(text.length, 65536)).toString('latin1');
  const rest = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*/.exec(head)?.[0].length ?? 0;
  return rest < head.length ? head.charCodeAt(rest) : undefined;
}

interface RootValue {
  key: string;
  firstByte: number;
  /** The first bytes of the value, at most 256. */
  head: Uint8Array;
}

function sniffObject(text: Uint8Array, whole: boolean): TextLayout | undefined {
  if (looksLikeLines(text, whole)) return { kind: 'lines' };
  const values = rootValues(text);
  const lists = values.filter(({ firstByte }) => firstByte === openBracket);
  const coco = lists.filter(({ key }) => cocoSections.includes(key));
  if (coco.length > 0) return { kind: 'object of lists', sections: cocoSections };
  if (values.length > 0 && values.every(({ firstByte }) => firstByte === openBrace))
    return { kind: 'object of rows' };
  const ofRows = lists.filter(({ head }) => firstByte(head.subarray(1)) === openBrace).map(({ key }) => key);
  if (ofRows.length > 0) return { kind: 'object of lists', sections: ofRows };
  const isLongLine = !whole && !text.includes(lineFeed);
  if (isLongLine && new Naming(values.map(({ key }) => key)).column('image') !== undefined)
    return { kind: 'lines' };
  const ofTexts = values.every(({ firstByte: first }) => first === quote || first === openBracket);
  if (values.length > 0 && ofTexts) return { kind: 'object of rows' };
  // The file is a single entry, or its first line is longer than the bytes read so far.
  return values.length > 0 && !text.includes(lineFeed) ? { kind: 'lines' } : undefined;
}

/**
 * Whether most lines are objects. If there is only one line, its object must be an entry. If the first line is not
 * an object, a line that ends with a comma does not count as an object, because it belongs to a list.
 */
function looksLikeLines(text: Uint8Array, whole: boolean): boolean {
  const reader = new JsonReader();
  let good = 0;
  let bad = 0;
  let only: Fields | undefined;
  let firstIsGood = false;
  for (let start = 0; start < text.length && good + bad < mostRows;) {
    const found = text.indexOf(lineFeed, start);
    if (found < 0 && !whole) break;
    const end = found < 0 ? text.length : found;
    const line = text.subarray(start, end);
    start = end + 1;
    if (isBlank(line)) continue;
    const fields = fieldsOf(reader, line);
    if (good + bad === 0) firstIsGood = fields !== undefined;
    if (fields !== undefined && (firstIsGood || !endsWithComma(line))) {
      good++;
      only = fields;
    } else bad++;
  }
  if (good + bad === 1 && only !== undefined) return isRow(only);
  return good > bad;
}

/** The fields of the object on a line; undefined if the line is not an object. */
function fieldsOf(reader: JsonReader, line: Uint8Array): Fields | undefined {
  try {
    const { value } = reader.read(line, 0, line.length);
    return value instanceof Fields ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return undefined;
  }
}

/** Whether an object is an entry, and not a container of entries. */
function isRow({ names, cells }: Fields): boolean {
  if (names.some((name) => cocoSections.includes(name))) return false;
  if (new Naming(names).column('image') !== undefined) return true;
  if (cells.every(({ value }) => typeof value === 'string' || Array.isArray(value))) return false;
  return (
    !cells.some(
      ({ value }) => Array.isArray(value) && (value as readonly Cell[])[0]?.value instanceof Fields,
    ) && !cells.every(({ value }) => value instanceof Fields)
  );
}

function endsWithComma(line: Uint8Array): boolean {
  return line[line.findLastIndex((byte) => byte > 0x20)] === comma;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte <= 0x20);
}

/** The root object's keys, each with the beginning of its value. */
function rootValues(text: Uint8Array): RootValue[] {
  const values: RootValue[] = [];
  const add = ({ bytes, start, end, key }: RawRow): undefined => {
    values.push({
      key: key ?? '',
      firstByte: bytes[start],
      head: bytes.slice(start, Math.min(end, start + 256)),
    });
    return undefined;
  };
  const framer = new JsonFramer({ row: add, broken: add, fault: () => undefined }, new Cursor(anyEncoding));
  framer.feed(text);
  framer.end();
  return values;
}

function sniffDelimited(text: Uint8Array): TextLayout | undefined {
  let lineLength = text.findIndex((byte) => byte === lineFeed || byte === carriageReturn);
  if (lineLength < 0) lineLength = text.length;
  const firstLine = Buffer.from(text.subarray(0, lineLength)).toString('utf8');
  if (/^[^\t]+\.\w{2,5}#\d+\t/.test(firstLine))
    return { kind: 'delimited', delimiter: '\t', header: ['image', 'caption'] };
  if (/^[^\t]+\.\w{2,5}\t[^\t]+\.\w{2,5}#\d+(?:\t *[\d.]+ *){3}\r?$/.test(firstLine))
    return { kind: 'delimited', delimiter: '\t', header: annotationColumns };
  const best = delimiters
    .map((delimiter) => ({ delimiter, cells: firstLine.split(delimiter).length }))
    .filter(({ cells }) => cells > 1);
  // A tab in the header always wins, because headers never contain tabs by accident. Otherwise the most
  // frequent delimiter wins.
  const tab = best.find(({ delimiter }) => delimiter === '\t');
  const chosen = tab ?? best.sort((a, b) => b.cells - a.cells)[0];
  return chosen === undefined ? undefined : { kind: 'delimited', delimiter: chosen.delimiter };
}
