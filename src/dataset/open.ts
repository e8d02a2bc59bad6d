import { stat } from 'node:fs/promises';
import { CaptiousError, throwIfCancelled } from '../base/errors';
import { say } from '../base/say';
import type { Dataset } from './dataset';
import { type FieldMap, Naming } from './fields';
import type { Format, Recognised, Sample } from './format';
import { coco } from './formats/coco';
import { flickr } from './formats/flickr';
import { karpathy } from './formats/karpathy';
import { lgip } from './formats/lgip';
import { plain } from './formats/plain';
import { preference } from './formats/preference';
import { rococo } from './formats/rococo';
import { sugarcrepe } from './formats/sugarcrepe';
import { visla } from './formats/visla';
import { vsr } from './formats/vsr';
import { winoground } from './formats/winoground';
import { ParquetFile, isParquet } from './parquet/parquet';
import { sampleRows, sniffLayout } from './sniff';
import type { TextLayout } from './layout';
import { ParquetDataset, TextDataset } from './reading';
import type { DetectedEncoding } from './text/encoding';
import { readHead, textOfHead } from './text/chunks';

/** The most particular first. */
const formats: readonly Format[] = [
  karpathy,
  coco,
  lgip,
  visla,
  winoground,
  vsr,
  sugarcrepe,
  preference,
  rococo,
  flickr,
  plain,
];

export interface OpenOptions {
  map?: FieldMap;
  /** Id of a format, where looking into the file would choose another. */
  format?: string;
  signal?: AbortSignal;
  /** How long one page of a Parquet file may take to be decoded. */
  stallMs?: number;
}

/** How much is looked at: little at first, more where one entry fills it. */
const headSizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];
const parquetSample = 8;

/** Opens a dataset file in the format that its content shows. */
export async function openDataset(path: string, options: OpenOptions = {}): Promise<Dataset> {
  const candidates =
    options.format === undefined ? formats : formats.filter(({ id }) => id === options.format);
  if (candidates.length === 0)
    throw new CaptiousError('usage', say`There is no dataset format "${options.format ?? ''}".`, {
      remedy: say`The formats are: ${formats.map(({ id }) => id).join(', ')}.`,
    });
  for (const size of headSizes) {
    const head = await readHead(path, size);
    throwIfCancelled(options.signal);
    if (head.length === 0)
      throw new CaptiousError('input', say`The file is empty.`, {
        at: path,
        remedy: say`Give a file with captions.`,
      });
    if (isParquet(head)) return openParquet(path, candidates, options);
    const whole = head.length < size;
    const look = lookInto(head, whole, options.map);
    const found = look && recognise(look.sample, candidates);
    if (look !== undefined && found !== undefined) {
      checkMap(path, options.map, look.sample.columns);
      return new TextDataset(path, found.format, look.sample.columns, found.recognised, look.layout, {
        ...look.encoding,
        size: (await stat(path)).size,
      });
    }
    // An entry may be longer than what was looked at; where there are whole entries, more of them will not help.
    if (whole || size === headSizes[headSizes.length - 1] || (look?.sample.rows.length ?? 0) > 0) {
      if (look !== undefined) checkMap(path, options.map, look.sample.columns);
      throw unknown(path, look?.sample, candidates, head);
    }
  }
  throw unknown(path, undefined, candidates, new Uint8Array(0));
}

/** How much `looksLikeDataset` reads. */
const glance = 60 * 1024;

/** The format a file seems to have, from its beginning alone; undefined where it is no dataset or cannot be read. */
export async function looksLikeDataset(path: string): Promise<string | undefined> {
  try {
    const head = await readHead(path, glance);
    if (isParquet(head)) return 'parquet';
    const look = lookInto(head, head.length < glance);
    return look && recognise(look.sample, formats)?.format;
  } catch (error) {
    if (error instanceof CaptiousError) return undefined;
    throw error;
  }
}

/** The columns at the beginning of a text file, whatever it holds, and which format they would make under a map. */
export async function columnsOf(
  path: string,
): Promise<{ columns: readonly string[]; formatWith(map: FieldMap): string | undefined } | undefined> {
  const head = await readHead(path, glance);
  if (head.length === 0 || isParquet(head)) return undefined;
  const whole = head.length < glance;
  const look = lookInto(head, whole);
  if (look === undefined) return undefined;
  return {
    columns: look.sample.columns,
    formatWith(map) {
      const mapped = lookInto(head, whole, map);
      return mapped && recognise(mapped.sample, formats)?.format;
    },
  };
}

interface Look {
  layout: TextLayout;
  encoding: DetectedEncoding;
  sample: Sample;
}

function lookInto(head: Uint8Array, whole: boolean, map?: FieldMap): Look | undefined {
  const { encoding, text } = textOfHead(head);
  const layout = sniffLayout(text, whole);
  if (layout === undefined) return undefined;
  const { rows, columns } = sampleRows(text, whole, layout);
  const sections = layout.kind === 'object of lists' ? layout.sections : [];
  return {
    layout,
    encoding,
    sample: { layout: layout.kind, columns, naming: new Naming(columns, map), rows, sections },
  };
}

function recognise(
  sample: Sample,
  candidates: readonly Format[],
): { format: string; recognised: Recognised } | undefined {
  for (const format of candidates) {
    const recognised = format.recognise(sample);
    if (recognised !== undefined) return { format: format.id, recognised };
  }
  return undefined;
}

async function openParquet(
  path: string,
  candidates: readonly Format[],
  options: OpenOptions,
): Promise<Dataset> {
  const file = await ParquetFile.open(path, options);
  checkMap(path, options.map, file.columns);
  const rows = (await file.sample(parquetSample, options.signal)).map((fields) => ({ fields }));
  const naming = new Naming(file.columns, options.map);
  const sample: Sample = { layout: 'parquet', columns: file.columns, naming, rows, sections: [] };
  const found = recognise(sample, candidates);
  if (found === undefined) throw unknown(path, sample, candidates, new Uint8Array(0));
  return new ParquetDataset(file, found.format, found.recognised);
}

function checkMap(path: string, map: FieldMap | undefined, columns: readonly string[]): void {
  for (const [role, column] of Object.entries(map ?? {})) {
    if (columns.length > 0 && !columns.includes(column))
      throw new CaptiousError('usage', say`There is no column "${column}" to be the ${role}.`, {
        at: path,
        remedy: say`The columns are: ${columns.join(', ')}.`,
      });
  }
}

function unknown(
  path: string,
  sample: Sample | undefined,
  candidates: readonly Format[],
  head: Uint8Array,
): CaptiousError {
  const lookedFor = candidates.map(({ id, looksLike }) => `${id}: ${looksLike}`).join('; ');
  return new CaptiousError(
    'input',
    `This is no dataset that Captious knows: it holds ${sample === undefined ? describeBytes(head) : describeSample(sample)}. ` +
      `Looked for ${candidates.length === 1 ? lookedFor : `an image and captions (${lookedFor})`}.`,
    { at: path, remedy: 'If it has an image and a caption column, name them: --map image=…,caption=…' },
  );
}

function describeSample({ layout, columns }: Sample): string {
  const kind =
    layout === 'delimited'
      ? 'a table'
      : layout === 'lines'
        ? 'JSON lines'
        : layout === 'parquet'
          ? 'a Parquet table'
          : `JSON, ${layout === 'list' ? 'a' : 'an'} ${layout},`;
  if (columns.length === 0) return `${kind} without entries that have named fields`;
  const shown = columns.slice(0, 12).map((column) => `"${column.slice(0, 40)}"`);
  return `${kind} with the columns ${shown.join(', ')}${columns.length > 12 ? ' and more' : ''}`;
}

/** What a file is that holds no rows, where its first bytes tell. */
function describeBytes(head: Uint8Array): string {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  if (start.startsWith('MATLAB')) return 'a MATLAB file (save its columns as CSV or JSON)';
  if (start.startsWith('PK')) return 'a ZIP archive (unpack it)';
  if (start.startsWith('\x1f\x8b')) return 'gzip data (unpack it)';
  if (start.startsWith('ARROW1')) return 'an Arrow file (save it as Parquet)';
  if (/^(\xff\xd8\xff|\x89PNG|GIF8|RIFF)/.test(start)) return 'a picture or a sound';
  if (head.subarray(0, 4096).includes(0)) return 'bytes that are not text';
  return 'text that is neither JSON nor a table with a first row of column names';
}
