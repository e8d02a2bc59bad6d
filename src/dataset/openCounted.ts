import { ArrowDataset } from './arrow/arrowDataset';
import { ArrowFile } from './arrow/arrowFile';
import { isArrow } from './arrow/arrowIndex';
import type { Fields } from './cell';
import { type FieldMap, Naming } from './fields/fields';
import { unknown } from './fields/unknown';
import type { Format, Found, Sample } from './format';
import { isParquet, ParquetFile } from './parquet/parquet';
import { type CountedDataset, ParquetDataset, type RowsDataset } from './reading';
import { answered, checkMap, recognise } from './fields/recognise';
import { TarDataset } from './tar/tarDataset';
import { TarFile } from './tar/tarFile';
import { isTar } from './tar/tarHeader';

const rowsSampled = 8;

interface CountedOptions {
  map?: FieldMap;
  signal?: AbortSignal;
  stallMs?: number;
}

/** The kind of a file whose rows have numbers, but no lines. Undefined for texts. */
export function countedKind(head: Buffer): CountedDataset['kind'] | undefined {
  if (isParquet(head)) return 'parquet';
  if (isArrow(head)) return 'arrow';
  return isTar(head) ? 'tar' : undefined;
}

/** Opens a file of this kind. `part` is the file's name in a dataset of several files, and `like` another of them. */
export async function openCounted(
  kind: CountedDataset['kind'],
  path: string,
  candidates: readonly Format[],
  options: CountedOptions,
  part: string | undefined,
  like?: RowsDataset,
): Promise<CountedDataset> {
  const { signal } = options;
  if (kind === 'parquet') {
    const file = await ParquetFile.open(path, options);
    // Decoding the first rows of each of many files takes seconds.
    if (like instanceof ParquetDataset && file.hasColumnsOf(like.file))
      return new ParquetDataset(file, like.found);
    const rows = await file.sample(rowsSampled, signal);
    return new ParquetDataset(file, foundIn(path, kind, file.columns, rows, candidates, options));
  }
  if (kind === 'arrow') {
    const file = await ArrowFile.open(path, part, signal);
    const rows = await file.sample(rowsSampled, signal);
    return new ArrowDataset(file, foundIn(path, kind, file.columns, rows, candidates, options));
  }
  const file = await TarFile.open(path, part, signal);
  const rows = await file.sample(rowsSampled, signal);
  const columns = [...new Set(rows.flatMap(({ names }) => names))];
  return new TarDataset(file, foundIn(path, kind, columns, rows, candidates, options), columns);
}

function foundIn(
  path: string,
  layout: CountedDataset['kind'],
  columns: readonly string[],
  rows: readonly Fields[],
  candidates: readonly Format[],
  { map }: CountedOptions,
): Found {
  checkMap(path, map, columns);
  const naming = new Naming(columns, map);
  const sample: Sample = {
    layout,
    columns,
    naming,
    rows: rows.map((fields) => ({ fields })),
    sections: [],
  };
  const found = answered(recognise(sample, candidates), path);
  if (found === undefined) throw unknown(path, sample, candidates, new Uint8Array(0));
  return found;
}
