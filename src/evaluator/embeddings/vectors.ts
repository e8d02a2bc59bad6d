import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CaptiousError, evaluatorError, Reason, wordsOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { say, type Words } from '../../base/say';
import { entriesOf } from '../../dataset/entries';
import { isParquet } from '../../dataset/parquet/parquet';
import { readHead } from '../../dataset/text/chunks';
import { arrayIds, type Id, readIds, recordOf } from './ids';
import { holdsVectors, isNpy, parseNpy, type Vectors, vectorsOf } from './numpy';
import { isZip, npzEntries } from './npz';
import { endOf } from '../../base/text/ends';

/*
 * Reads precomputed embeddings in .npy, .npz or Parquet format from one file, several files, or a folder of
 * numbered parts as clip-retrieval writes it.
 */

export type Side = 'image' | 'text';

/** Rows of embeddings. `ids` is undefined if one of the files has no ids. `files` lists all files that were read. */
export interface Table {
  vectors: Vectors;
  ids: Id[] | undefined;
  files: string[];
}

/** Node.js reads at most this many bytes at once. */
const mostBytes = 2 ** 31 - 1;

/** The names of arrays and columns that may contain embeddings, most likely first. */
const vectorNames: Record<Side, readonly string[]> = {
  image: ['image_embeds', 'image_embeddings', 'image_features', 'img_emb', 'image_emb', 'images', 'image'],
  text: ['text_embeds', 'text_embeddings', 'text_features', 'text_emb', 'txt_emb', 'texts', 'text'],
};
const anyNames = ['embedding', 'embeddings', 'vector', 'vectors', 'features', 'emb', 'arr_0'];

/** Reads embeddings. `#name` after a path selects an array of an .npz file, or a column of a Parquet file. */
export async function readTable(
  given: readonly string[],
  ids: readonly string[] | undefined,
  side: Side,
  signal?: AbortSignal,
): Promise<Table> {
  const places = (await Promise.all(given.map((path) => partsOf(path, 'embeddings')))).flat();
  const tables: Table[] = [];
  for (const place of places) tables.push(await readPart(place, side, ids === undefined, signal));
  const table = joined(tables, given[0]);
  if (ids === undefined) return table;
  const idFiles = (await Promise.all(ids.map((path) => partsOf(path, 'ids')))).flat();
  const own: Id[][] = [];
  for (const path of idFiles) own.push(await readIds(path, side, signal));
  return { ...table, ids: own.flat(), files: [...table.files, ...idFiles] };
}

/** The files of a folder in the order of their numbers. For a file, only its own path. */
async function partsOf(path: string, content: 'embeddings' | 'ids'): Promise<string[]> {
  const whole = await stat(path).catch(() => undefined);
  if (whole?.isDirectory() !== true) {
    const file = whole ?? (await stat(path.replace(/#[^#/\\]*$/, '')).catch(() => undefined));
    if (file !== undefined) return [path];
    throw evaluatorError(say('embeddings.pathUnreadable'), say('embeddings.checkPath'), path);
  }
  const number = (name: string): number => {
    const stem = name.replace(/\.\w+$/, '');
    return Number(stem.slice(endOf(stem, /\d/)) || -1);
  };
  const found = await readdir(path);
  const arrays = found.filter((name) => /\.(npy|npz|parquet)$/i.test(name));
  // A folder without arrays may contain ids in text files.
  const names =
    arrays.length > 0 || content === 'embeddings'
      ? arrays
      : found.filter((name) => /\.(jsonl?|csv|tsv|txt)$/i.test(name));
  if (names.length === 0)
    throw new CaptiousError(
      'evaluator',
      content === 'embeddings' ? say('embeddings.folderWithoutVectors') : say('embeddings.folderWithoutIds'),
      { at: path },
    );
  return names.sort((a, b) => number(a) - number(b) || (a < b ? -1 : 1)).map((name) => join(path, name));
}

function joined(tables: readonly Table[], at: string): Table {
  const [first] = tables;
  if (tables.length === 1) return first;
  const other = tables.find(({ vectors }) => vectors.dimension !== first.vectors.dimension);
  if (other !== undefined)
    throw new CaptiousError(
      'evaluator',
      say('embeddings.filesDifferInLength', first.vectors.dimension, other.vectors.dimension),
      { at, remedy: say('embeddings.useOneModelFiles') },
    );
  const starts = [0];
  for (const { vectors } of tables) starts.push(starts.at(-1)! + vectors.count);
  const types = [...new Set(tables.map(({ vectors }) => vectors.type))];
  return {
    vectors: {
      count: starts.at(-1)!,
      dimension: first.vectors.dimension,
      type: types.join(', '),
      row: (at) => {
        let part = 0;
        while (at >= starts[part + 1]) part++;
        return tables[part].vectors.row(at - starts[part]);
      },
    },
    ids: tables.every(({ ids }) => ids !== undefined) ? tables.flatMap(({ ids }) => ids ?? []) : undefined,
    files: tables.flatMap(({ files }) => files),
  };
}

async function readPart(place: string, side: Side, wantsIds: boolean, signal?: AbortSignal): Promise<Table> {
  const exists = (await stat(place).catch(() => undefined)) !== undefined;
  const [, path, name] = (!exists && /^(.*)#([^#/\\]*)$/s.exec(place)) || [undefined, place, undefined];
  if (isParquet(await readHead(path, 4))) return parquetTable(path, name, side, signal);
  const bytes = await readBounded(path, mostBytes);
  try {
    if (isNpy(bytes)) {
      const table = { vectors: vectorsOf(parseNpy(bytes)), ids: undefined, files: [path] };
      const metadata = wantsIds ? await metadataOf(path) : undefined;
      if (metadata === undefined) return table;
      return { ...table, ids: await readIds(metadata, side, signal), files: [path, metadata] };
    }
    if (isZip(bytes)) {
      const entries = npzEntries(bytes, mostBytes);
      return {
        vectors: vectorsOf(parseNpy(arrayNamed(entries, name, side))),
        ids: arrayIds(entries, side),
        files: [path],
      };
    }
  } catch (cause) {
    throw wrongFile(path, wordsOf(cause));
  }
  throw wrongFile(path, say('embeddings.vectorFormatUnknown'));
}

function wrongFile(path: string, why: Words): CaptiousError {
  return new CaptiousError('evaluator', say('embeddings.vectorsUnreadable', basename(path), why), {
    at: path,
    remedy: say('embeddings.saveRowPerItem'),
  });
}

/** The file with the ids: clip-retrieval writes metadata/metadata_0.parquet for img_emb/img_emb_0.npy. */
async function metadataOf(path: string): Promise<string | undefined> {
  const number = /_(\d+)\.npy$/.exec(path)?.[1];
  if (number === undefined) return undefined;
  const metadata = join(dirname(dirname(path)), 'metadata', `metadata_${number}.parquet`);
  return (await stat(metadata).catch(() => undefined))?.isFile() ? metadata : undefined;
}

function arrayNamed(
  entries: ReadonlyMap<string, () => Buffer>,
  name: string | undefined,
  side: Side,
): Buffer {
  const all = [...entries.keys()];
  if (name !== undefined) {
    const entry = entries.get(name);
    if (entry !== undefined) return entry();
    throw new Reason(say('embeddings.arrayNotFound', name, all.join(', ')));
  }
  const fitting = all.filter((key) => holdsVectors(parseNpy(entries.get(key)!())));
  if (fitting.length === 0) throw new Reason(say('embeddings.noFittingArray', all.join(', ')));
  const chosen = choose(fitting, side);
  if (chosen !== undefined) return entries.get(chosen)!();
  throw new Reason(say('embeddings.severalFittingArrays', fitting.join(', ')));
}

function choose(names: readonly string[], side: Side): string | undefined {
  if (names.length === 1) return names[0];
  const known = [...vectorNames[side], ...anyNames].find((name) => names.includes(name));
  return known ?? undefined;
}

/** Why row `row` has no embedding. `column` is undefined if the path names no column and `choose` finds none. */
function whyNoLists(
  column: string | undefined,
  names: readonly string[],
  lists: readonly string[],
  row: number,
): Words {
  if (row > 1 && column !== undefined) return say('embeddings.rowWithoutList', row, column);
  if (lists.length === 0) return say('embeddings.noListColumn', names.join(', '));
  if (column === undefined) return say('embeddings.severalListColumns', lists.join(', '));
  return names.includes(column)
    ? say('embeddings.columnWithoutLists', column, lists.join(', '))
    : say('embeddings.columnNotFound', column, lists.join(', '));
}

async function parquetTable(
  path: string,
  name: string | undefined,
  side: Side,
  signal?: AbortSignal,
): Promise<Table> {
  const rows: Float32Array[] = [];
  const ids: Id[] = [];
  let column = name;
  for await (const { fields } of entriesOf(path, signal)) {
    const lists = fields.names.filter((_, i) => Array.isArray(fields.cells[i].value));
    column ??= choose(lists, side);
    if (column === undefined || !lists.includes(column))
      throw wrongFile(path, whyNoLists(column, fields.names, lists, rows.length + 1));
    const value = fields.get(column)!.value;
    const cells = Array.isArray(value) ? value : [];
    rows.push(Float32Array.from(cells, (cell) => (typeof cell.value === 'number' ? cell.value : NaN)));
    if (rows.at(-1)!.length !== rows[0].length)
      throw wrongFile(path, say('embeddings.rowLengthDiffers', rows.length));
    ids.push(recordOf(fields.without(lists)));
  }
  if (rows.length === 0) throw wrongFile(path, say('embeddings.noRows'));
  const vectors = {
    count: rows.length,
    dimension: rows[0].length,
    type: 'Parquet',
    row: (at: number) => rows[at],
  };
  const hasIds = Object.keys(ids[0]).length > 0;
  return { vectors, ids: hasIds ? ids : undefined, files: [path] };
}
