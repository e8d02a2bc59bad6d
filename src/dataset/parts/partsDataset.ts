import { english } from '../../base/english';
import { join, posix } from 'node:path';
import { CaptiousError, inputError, throwIfCancelled } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Dataset, DatasetSlice, Position, Problem } from '../dataset';
import type { Example } from '../example';
import type { Entry } from '../entry';
import { KeySet } from '../ids';
import type { EntryHandler } from '../layout';
import { CountedDataset, RowsDataset, type TextDataset } from '../reading';
import { inNaturalOrder } from './naturalOrder';
import { isMetadata, type PartPaths } from './partPaths';
import { imageAlone } from './pairs';

type Opened = TextDataset | (CountedDataset & Pick<Dataset, 'imageNames'>);

/** A file of the dataset, or why it cannot be read. */
interface Part {
  name: string;
  file?: Opened;
  broken?: Words;
}

interface Opening {
  /** `like`: a file of the dataset that is open already. */
  openFile: (file: string, part: string, like: Opened | undefined) => Promise<Opened>;
  columnsOf: (file: string) => Promise<{ columns: readonly string[] } | undefined>;
  signal: AbortSignal | undefined;
}

/** Opens the files of a dataset. A broken or missing file is a problem of the dataset unless all are. */
export async function openParts(
  path: string,
  { folder, names, missing, images }: PartPaths,
  { openFile, columnsOf, signal }: Opening,
): Promise<PartsDataset> {
  const parts: Part[] = missing.map((name) => ({ name, broken: say('base.pathMissing') }));
  let failure: CaptiousError | undefined;
  for (const name of names) {
    try {
      parts.push({ name, file: await openFile(join(folder, name), name, parts.find(hasFile)?.file) });
    } catch (error) {
      throwIfCancelled(signal);
      if (!(error instanceof CaptiousError) || error.kind !== 'input') throw error;
      failure ??= error;
      parts.push({ name, broken: error.what });
    }
  }
  parts.sort((a, b) => inNaturalOrder(a.name, b.name));
  const first = parts.find(hasFile);
  if (first === undefined) throw failure!;
  for (const { name, file } of parts) {
    const columns = file?.columns ?? (await columnsOf(join(folder, name)).catch(() => undefined))?.columns;
    const isSame = file === undefined ? isLike(first.file, columns) : fits(first.file, file);
    if (!isSame)
      throw different(
        path,
        [first.name, describe(first.file)],
        [name, file ? describe(file) : columns!.join(', ')],
      );
  }
  return new PartsDataset(path, parts, first.file, images);
}

function hasFile(part: Part): part is Part & { file: Opened } {
  return part.file !== undefined;
}

class PartsDataset extends RowsDataset implements DatasetSlice {
  readonly columns: readonly string[];
  readonly encoding?: string;
  readonly parts: readonly string[];
  readonly at?: Dataset['at'];
  readonly imageNames?: Dataset['imageNames'];
  readonly slice?: Dataset['slice'];
  /** Whether each file's number of rows is known. */
  private readonly isCounted: boolean;

  constructor(
    readonly path: string,
    private readonly all: readonly Part[],
    private readonly first: Opened,
    private readonly images: readonly string[] | undefined,
    /** The indexes of the first file to read and of the file after the last. */
    private readonly range: readonly [number, number] = [0, all.length],
  ) {
    super(first.path, first.found);
    const files = all.filter(hasFile);
    this.parts = files.map(({ name }) => name);
    this.columns = [...new Set(files.flatMap(({ file }) => file.columns))];
    const encodings = new Set(files.map(({ file }) => ('encoding' in file ? file.encoding : undefined)));
    const [encoding] = encodings;
    if (encodings.size === 1 && encoding !== undefined) this.encoding = encoding;
    this.isCounted = first instanceof CountedDataset;
    if (this.isCounted) this.at = (row) => this.exampleAt(row);
    if (this.isCounted && images === undefined && this.readsRowsAlone())
      this.slice = (index, count) => this.sliceOf(index, count);
    if (this.isCounted && 'imageNames' in first) this.imageNames = (signal) => this.allImageNames(signal);
  }

  get rowCount(): number | undefined {
    const [start, end] = this.range;
    return this.isCounted ? this.rowsBefore(end) - this.rowsBefore(start) : undefined;
  }

  get names(): readonly string[] {
    return this.all.slice(...this.range).map(({ name }) => name);
  }

  get outline(): DatasetSlice['outline'] {
    return this.all.map(({ name }, i) => [name, this.rowsBefore(i + 1) - this.rowsBefore(i)]);
  }

  /** Only a whole reading knows which images have no text. */
  canStartAt(position: Position): boolean {
    if (this.images !== undefined) return false;
    return this.first.canStartAt(position) && this.startOf(position) >= 0;
  }

  /** Numbers the rows of all files as if they were one file. */
  async *feed(
    handler: EntryHandler,
    signal: AbortSignal | undefined,
    from?: Position,
  ): AsyncGenerator<void, void, undefined> {
    const start = from === undefined ? this.range[0] : this.startOf(from);
    const described = new KeySet();
    let next = this.rowsBefore(start);
    for (const [i, { name, file, broken }] of this.all.slice(start, this.range[1]).entries()) {
      if (file === undefined) {
        handler.problem(brokenPart(name, broken!));
        continue;
      }
      const firstRow = next;
      const count = (row: number | undefined): void => {
        if (row !== undefined) next = Math.max(next, row + 1);
      };
      try {
        yield* file.feed(
          {
            problem: (problem) => {
              count(problem.row);
              handler.problem(problem);
            },
            entry: (entry) => {
              count(entry.row);
              if (isMetadata(name)) startNames(entry, name, described);
              handler.entry(entry);
            },
          },
          signal,
          i === 0 ? from : undefined,
          firstRow,
        );
      } catch (error) {
        throwIfCancelled(signal);
        if (!(error instanceof CaptiousError) || error.kind !== 'input') throw error;
        handler.problem(brokenPart(name, error.what));
      }
      if (this.isCounted) next = this.rowsBefore(start + i + 1);
    }
    for (const image of this.images ?? []) if (described.add(image)) handler.problem(imageAlone(image));
  }

  private sliceOf(index: number, count: number): PartsDataset | undefined {
    const { path, all, first, images } = this;
    if (all.length < count || this.repeatsKeys()) return undefined;
    const bound = (shards: number): number => Math.floor((shards * all.length) / count);
    return new PartsDataset(path, all, first, images, [bound(index - 1), bound(index)]);
  }

  /** Whether several files have the same id, which only the first of them keeps. */
  private repeatsKeys(): boolean {
    const known = new KeySet();
    return this.all.some(
      ({ file }) => file instanceof CountedDataset && file.keys !== undefined && !known.join(file.keys),
    );
  }

  private async *exampleAt(row: number): AsyncGenerator<Example, void, undefined> {
    const start = this.startOf({ row, nth: 0 });
    const file = this.all.at(start)?.file;
    if (file instanceof CountedDataset) yield* file.at(row - this.rowsBefore(start), row);
  }

  private async *allImageNames(signal?: AbortSignal): AsyncGenerator<[string, number], void, undefined> {
    for (const [i, { file }] of this.all.entries()) {
      if (!(file instanceof CountedDataset)) continue;
      for await (const [name, row] of file.imageNames!(signal)) yield [name, this.rowsBefore(i) + row];
    }
  }

  /** The index of the file with a position, or -1. */
  private startOf({ row, place }: Position): number {
    if (!this.isCounted) return this.all.findIndex(({ name }) => name === place?.part);
    return this.all.findIndex(({ file }, i) => file !== undefined && row < this.rowsBefore(i + 1));
  }

  private rowsBefore(end: number): number {
    let rows = 0;
    for (const { file } of this.all.slice(0, end)) if (file instanceof CountedDataset) rows += file.rowCount;
    return rows;
  }
}

/** ImageFolder's paths start at the folder of their file. */
function startNames(entry: Entry, part: string, described: KeySet): void {
  const folder = part.slice(0, Math.max(part.lastIndexOf('/'), 0));
  const image = entry.fields.get('file_name')?.value;
  if (typeof image !== 'string') return;
  described.add(posix.join(folder, image.replaceAll('\\', '/')));
  if (folder !== '') entry.folder = folder;
}

function brokenPart(name: string, why: Words): Problem {
  return { code: 'broken-part', severity: 'error', message: say('dataset.partUnreadable', name, why) };
}

/** Whether one reader can read both files. JSON rows may omit columns, tables may not. */
function fits(first: Opened, other: Opened): boolean {
  const isTable = ['parquet', 'arrow', 'delimited'].includes(kindOf(first));
  return (
    kindOf(first) === kindOf(other) &&
    first.format === other.format &&
    first.form === other.form &&
    english(first.title) === english(other.title) &&
    haveSame(first.reads.map(String), other.reads.map(String)) &&
    (!isTable || haveSame(first.columns, other.columns))
  );
}

/** Whether a file of no known format is a broken file of this kind: it has no other columns. */
function isLike({ columns }: Opened, own: readonly string[] = []): boolean {
  return own.length < 2 || haveSame(columns, own);
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set([...some, ...others]);
  return all.size === new Set(some).size && all.size === new Set(others).size;
}

function kindOf(file: Opened): string {
  return file instanceof CountedDataset ? file.kind : file.layout.kind;
}

function describe(file: Opened): string {
  return `${english(file.title)} (${kindOf(file)}): ${file.columns.join(', ')}`;
}

function different(
  at: string,
  one: readonly [string, string],
  other: readonly [string, string],
): CaptiousError {
  return inputError(say('dataset.partsDiffer', ...one, ...other), say('dataset.nameFilesByGlob'), at);
}
