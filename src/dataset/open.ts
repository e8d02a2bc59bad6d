import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inputError, throwIfCancelled, usageError } from '../base/errors';
import { say } from '../base/say';
import type { Dataset } from './dataset';
import { type FieldMap, namesCaptions, Naming } from './fields/fields';
import { answered, checkMap, recognise } from './fields/recognise';
import type { Format, Found, Sample } from './format';
import { formats } from './formats';
import { plain } from './formats/plain';
import { countedKind, openCounted } from './openCounted';
import { refuseColumns, sampleRows, sniffLayout } from './sniff';
import { entryFramer, type TextLayout } from './layout';
import { openParts } from './parts/partsDataset';
import type { Pair } from './parts/pairs';
import { pairColumns, PairsDataset } from './parts/pairsDataset';
import { partPaths } from './parts/partPaths';
import { type CountedDataset, type RowsDataset, TextDataset } from './reading';
import type { DetectedEncoding } from './text/encoding';
import { readHead, textChunks, textOfHead } from './text/chunks';
import { unknown } from './fields/unknown';
import type { Fields } from './cell';

const enough = 8;

/** Reads the first rows of a list that begins far into the file, such as COCO's annotations after many images. */
async function firstRowsOf(
  section: string,
  path: string,
  layout: TextLayout,
  stored: DetectedEncoding & { size?: number },
  signal?: AbortSignal,
): Promise<{ fields: Fields; section: string }[]> {
  const rows: { fields: Fields; section: string }[] = [];
  const framer = entryFramer(layout, stored, {
    entry: (entry) => {
      if (entry.section === section && rows.length < enough) rows.push({ fields: entry.fields, section });
    },
    problem: () => undefined,
  });
  for await (const chunk of textChunks(path, stored, signal)) {
    framer.feed(chunk);
    if (rows.length === enough) return rows;
  }
  framer.end();
  return rows;
}

export interface OpenOptions {
  map?: FieldMap;
  /** The id of the file's format. If absent, Captious recognises the format. */
  format?: string;
  signal?: AbortSignal;
  /** Reading a Parquet file fails after this many milliseconds without progress. */
  stallMs?: number;
}

/** How many bytes to read to recognise the format. Captious tries the next size if the bytes have no whole entry. */
const headSizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** Opens a dataset: a file in the format that its content suggests, or the files of a folder or a pattern. */
export async function openDataset(path: string, options: OpenOptions = {}): Promise<Dataset> {
  const parts = await partPaths(path, options.signal);
  if (parts === undefined) return openFile(path, options);
  if (parts.pairs !== undefined) return openPairs(path, parts.folder, parts.pairs, options);
  return openParts(path, parts, {
    openFile: (file, part, like) => openFile(file, options, part, like),
    columnsOf,
    signal: options.signal,
  });
}

/** Reads images with texts as rows of a table with images and captions. */
function openPairs(path: string, folder: string, pairs: readonly Pair[], options: OpenOptions): Dataset {
  const columns = pairColumns;
  checkMap(path, options.map, columns);
  const naming = new Naming(columns, options.map);
  const sample: Sample = { layout: 'lines', columns, naming, rows: [], sections: [] };
  const found = answered(recognise(sample, [plain]), path);
  if (found === undefined) throw unknown(path, sample, [plain], new Uint8Array(0));
  return new PairsDataset(path, folder, pairs, found);
}

async function openFile(
  path: string,
  options: OpenOptions,
  part?: string,
  like?: RowsDataset,
): Promise<TextDataset | CountedDataset> {
  const candidates = candidatesFor(options);
  if (candidates.length === 0)
    throw usageError(
      say('dataset.formatNotOffered', options.format ?? ''),
      say('dataset.listFormats', formats.map(({ id }) => id).join(', ')),
    );
  for (const size of headSizes) {
    const head = await readHead(path, size);
    throwIfCancelled(options.signal);
    if (head.length === 0)
      throw inputError(say('dataset.fileEmpty'), say('dataset.useFileWithCaptions'), path);
    const kind = countedKind(head);
    if (kind !== undefined) return openCounted(kind, path, candidates, options, part, like);
    const whole = head.length < size;
    const namingOf = (columns: readonly string[]) => new Naming(columns, options.map);
    const look = await withAnnotations(lookInto(path, head, whole, namingOf), whole, path, namingOf, options);
    if (look !== undefined && look.sample.rows.length > 0) checkMap(path, options.map, look.sample.columns);
    const found = look && answered(recognise(look.sample, candidates), path);
    if (look !== undefined && found !== undefined) {
      await checkBeside(path, found);
      return new TextDataset(path, found, look.sample.columns, look.layout, {
        ...look.encoding,
        size: (await stat(path)).size,
        ...(part === undefined ? {} : { part }),
      });
    }
    // Reads more only if the bytes contain no complete entry.
    if (whole || size === headSizes[headSizes.length - 1] || (look?.sample.rows.length ?? 0) > 0) {
      if (look !== undefined) checkMap(path, options.map, look.sample.columns);
      throw unknown(path, look?.sample, candidates, head);
    }
  }
  throw unknown(path, undefined, candidates, new Uint8Array(0));
}

/** How many bytes `columnsOf` reads. */
const glance = 60 * 1024;

/**
 * The columns in the first rows of a text file. `almost` gives the role of each misspelt column, and `formatWith`
 * recognises the format with these roles.
 */
export async function columnsOf(
  path: string,
): Promise<{ columns: readonly string[]; formatWith(almost: FieldMap): string | undefined } | undefined> {
  const head = await readHead(path, glance);
  if (head.length === 0 || countedKind(head) !== undefined) return undefined;
  const whole = head.length < glance;
  const look = lookInto(path, head, whole, (columns) => new Naming(columns));
  if (look === undefined) return undefined;
  return {
    columns: look.sample.columns,
    formatWith(almost) {
      const naming = new Naming(look.sample.columns, {}, almost);
      const found = recognise({ ...look.sample, naming }, formats);
      return found && 'format' in found ? found.format.id : undefined;
    },
  };
}

interface Look {
  layout: TextLayout;
  encoding: DetectedEncoding;
  sample: Sample;
}

/** Reads annotations of a COCO file into the sample if the beginning of the file contains only images. */
async function withAnnotations(
  look: Look | undefined,
  whole: boolean,
  path: string,
  namingOf: (columns: readonly string[]) => Naming,
  { signal }: OpenOptions,
): Promise<Look | undefined> {
  if (look?.layout.kind !== 'object of lists' || whole || !look.layout.sections.includes('annotations'))
    return look;
  const { sample } = look;
  if (sample.rows.length === 0 || sample.rows.some(({ section }) => section === 'annotations')) return look;
  const more = await firstRowsOf('annotations', path, look.layout, look.encoding, signal);
  const columns = [...new Set([...sample.columns, ...more.flatMap(({ fields }) => fields.names)])];
  return {
    ...look,
    sample: { ...sample, columns, naming: namingOf(columns), rows: [...sample.rows, ...more] },
  };
}

function lookInto(
  path: string,
  head: Uint8Array,
  whole: boolean,
  namingOf: (columns: readonly string[]) => Naming,
): Look | undefined {
  const { encoding, text } = textOfHead(head);
  refuseColumns(path, text);
  const layout = sniffLayout(text, whole);
  if (layout === undefined) return undefined;
  const { rows, columns } = sampleRows(text, whole, layout);
  const sections = layout.kind === 'object of lists' ? layout.sections : [];
  return {
    layout,
    encoding,
    sample: { layout: layout.kind, columns, naming: namingOf(columns), rows, sections },
  };
}

async function checkBeside(path: string, { recognised: { beside } }: Found): Promise<void> {
  if (beside === undefined) return;
  const found = await stat(join(dirname(path), beside.name)).catch(() => undefined);
  if (found?.isFile() !== true) throw inputError(beside.missing.ask, beside.missing.remedy, path);
}

/** The format with the given id. Without an id, all formats, or only the general formats if a map names captions. */
function candidatesFor({ format, map }: OpenOptions): readonly Format[] {
  if (format !== undefined) return formats.filter(({ id }) => id === format);
  return namesCaptions(map) ? formats.filter(({ isGeneral }) => isGeneral) : formats;
}

/** A dataset that is opened when it is read. */
export function unopened(path: string, map?: FieldMap): Pick<Dataset, 'path' | 'read'> {
  return {
    path,
    async *read(options = {}) {
      yield* (await openDataset(path, { map, signal: options.signal })).read(options);
    },
  };
}
