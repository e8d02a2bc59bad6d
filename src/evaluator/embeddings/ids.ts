import { basename } from 'node:path';
import { CaptiousError, Reason, wordsOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { say, type Words } from '../../base/say';
import { type CellValue, Fields } from '../../dataset/cell';
import { entriesOf } from '../../dataset/entries';
import { JsonReader } from '../../dataset/text/jsonValue';
import { isNpy, labelsOf, parseNpy } from './numpy';
import { isZip, npzEntries } from './npz';

/* Reads ids, which connect the rows of an embeddings file with captions and images. */

export type Id = string | number | Readonly<Record<string, unknown>>;

/** The most bytes of a file of ids, except for tables. Enough for about ten million ids. */
const mostIds = 1 << 30;
const mostRows = 1 << 25;
const limits = { bytes: mostIds, depth: 16, parts: mostRows };

/** The names of arrays, columns and JSON keys that may contain ids, most likely first. */
export const idNames: Record<'image' | 'text', readonly string[]> = {
  image: [
    ...['key', 'file_name', 'filename', 'filepath', 'file', 'image', 'image_path', 'image_name', 'path'],
    ...['image_id', 'image_ids', 'images', 'id', 'ids', 'name', 'names', 'keys', 'url'],
  ],
  text: [
    ...['key', 'text', 'caption', 'sentence', 'raw', 'prompt', 'texts', 'captions', 'sentences', 'prompts'],
    ...['id', 'ids', 'keys'],
  ],
};

export async function readIds(path: string, side: 'image' | 'text', signal?: AbortSignal): Promise<Id[]> {
  if (/\.(csv|tsv|parquet)$/i.test(path)) return tableIds(path, side, signal);
  const bytes = await readBounded(path, mostIds);
  try {
    if (isNpy(bytes)) return labelsOf(parseNpy(bytes));
    if (isZip(bytes))
      return arrayIds(npzEntries(bytes, mostIds), side) ?? none(say('embeddings.idArrayMissing'));
    let lines = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1))
      if (++lines > mostRows) none(say('embeddings.idLinesTooMany', mostRows));
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const start = text.trimStart()[0];
    if (start === '[' || start === '{') return jsonIds(bytes, text, side);
    return linesOf(text, side);
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw wrongIds(path, wordsOf(cause));
  }
}

function wrongIds(path: string, why: Words): CaptiousError {
  return new CaptiousError('input', say('embeddings.idsUnreadable', basename(path), why), {
    at: path,
    remedy: say('embeddings.useReadableIds'),
  });
}

function none(why: Words): never {
  throw new Reason(why);
}

/** Reads the ids from the arrays of an .npz file. Returns undefined if no array contains ids. */
export function arrayIds(
  entries: ReadonlyMap<string, () => Buffer>,
  side: 'image' | 'text',
): Id[] | undefined {
  const wished = [`${side}_ids`, `${side}_names`, `${side}_keys`, ...idNames[side]];
  const name = wished.find((one) => entries.has(one) && holdsLabels(entries.get(one)!()));
  return name === undefined ? undefined : labelsOf(parseNpy(entries.get(name)!()));
}

function holdsLabels(bytes: Buffer): boolean {
  return isNpy(bytes) && /[USiuO]/.test(parseNpy(bytes).type.slice(1));
}

async function tableIds(path: string, side: 'image' | 'text', signal?: AbortSignal): Promise<Id[]> {
  const ids: Id[] = [];
  for await (const { fields } of entriesOf(path, signal)) ids.push(recordOf(fields));
  if (ids.length > 0 && !idNames[side].some((name) => Object.hasOwn(ids[0] as object, name)))
    throw wrongIds(path, say('embeddings.idColumnMissing', Object.keys(ids[0] as object).join(', ')));
  return ids;
}

export function recordOf(fields: Fields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.names.map((name, i) => [name, plain(fields.cells[i].value)]));
}

function plain(value: CellValue): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Fields) return recordOf(value);
  if (typeof value === 'object' && value !== null) return value.map((cell) => plain(cell.value));
  return value;
}

function jsonIds(bytes: Buffer, text: string, side: 'image' | 'text'): Id[] {
  let value: unknown;
  try {
    value = parseJson(bytes, limits);
  } catch (error) {
    if (error instanceof CaptiousError) throw error;
    // A file that is not a single JSON value may be JSON Lines, with one value per line.
    value = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, i) => parsedLine(line, i + 1));
  }
  const list = Array.isArray(value)
    ? (value as unknown[])
    : listIn(value as Record<string, unknown>, side, bytes);
  return list.map((one, i) => idOf(one, i));
}

function parsedLine(line: string, number: number): unknown {
  try {
    return parseJson(Buffer.from(line), limits);
  } catch {
    return none(say('embeddings.idLineNotJson', number));
  }
}

/** The ids in a JSON object: its keys if all values are row numbers, else a list or a pandas column. */
function listIn(value: Record<string, unknown>, side: 'image' | 'text', bytes: Uint8Array): unknown[] {
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([, row]) => Number.isInteger(row))) {
    const ids: unknown[] = [];
    for (const [id, row] of entries) ids[row as number] = id;
    if (ids.length === entries.length && !ids.includes(undefined)) return ids;
  }
  const columns = entries.flatMap(([name, column]) => {
    if (typeof column !== 'object' || column === null) return [];
    return [[name, Array.isArray(column) ? (column as unknown[]) : valuesIn(bytes, name)] as const];
  });
  const known = columns.filter(([name]) => [`${side}_ids`, ...idNames[side]].includes(name));
  const [first] = known;
  if (first === undefined) {
    const names = entries.map(([name]) => name);
    const shown = names.length > 20 ? [...names.slice(0, 20), '…'] : names;
    return none(say('embeddings.idKeyMissing', shown.join(', ')));
  }
  if (typeof first[1][0] === 'object') return first[1];
  return first[1].map((_, i) => Object.fromEntries(known.map(([name, column]) => [name, column[i]])));
}

/** The values of a pandas column in the order of the file. `Object.values` would sort them by their row numbers. */
function valuesIn(bytes: Uint8Array, name: string): unknown[] {
  const hasBom = bytes[0] === 0xef;
  const { value } = new JsonReader().read(bytes, hasBom ? 3 : 0, bytes.length);
  const column = value instanceof Fields ? value.get(name)?.value : undefined;
  return column instanceof Fields ? column.cells.map((cell) => plain(cell.value)) : [];
}

function idOf(value: unknown, row: number): Id {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return none(say('embeddings.idInvalid', row + 1, JSON.stringify(value)));
}

/** Reads one id per line. The first line may be a column name. */
function linesOf(text: string, side: 'image' | 'text'): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return idNames[side].includes(lines[0]) ? lines.slice(1) : lines;
}
