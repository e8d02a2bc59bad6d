import { dirname, join } from 'node:path';
import { pauses, throwIfCancelled, untilCancelled } from '../base/errors';
import { readBounded } from '../base/files/readFile';
import { say, type Words } from '../base/say';
import type { Dataset, Position, Problem, ReadOptions } from './dataset';
import type { Sink } from './draft';
import { Entry } from './entry';
import type { Example, ExampleForm } from './example';
import type { Found, Recognised, RowReader } from './format';
import { IdGuard, type KeySet } from './ids';
import { type EntryHandler, type TextLayout, entryFramer } from './layout';
import type { ParquetFile } from './parquet/parquet';
import { textChunks } from './text/chunks';
import { type DetectedEncoding, describeEncoding } from './text/encoding';
import { longestRow } from './text/framer';

/** Buffers parsed examples until the caller requests them. */
class Queue implements Sink {
  readonly items: Example[] = [];
  readonly problem: (problem: Problem) => void;
  private readonly ids: IdGuard;

  /** `from` is the position of the last example to skip. */
  constructor(
    { onProblem, ids }: ReadOptions,
    readonly cluster: string | undefined,
    private readonly from?: Position,
  ) {
    this.problem = (problem) => onProblem?.(problem);
    this.ids = new IdGuard(this.problem, ids);
  }

  private skipped = 0;

  example(example: Example): void {
    if (!this.inCluster(example)) return;
    const { from } = this;
    if (from?.row === example.row && this.skipped < from.nth) {
      this.skipped++;
      return;
    }
    this.ids.check(example);
    this.items.push(example);
  }

  /** Sets the example's cluster. False if its value is missing. */
  private inCluster(example: Example): boolean {
    const { cluster } = this;
    if (cluster === undefined) return true;
    const value = example.attributes[cluster] ?? '';
    if (value !== '') example.cluster = String(value);
    else
      this.problem({
        code: 'missing-field',
        severity: 'error',
        message: say('dataset.fieldMissing', cluster),
        row: example.row,
        ...(example.place === undefined ? {} : { place: example.place }),
      });
    return value !== '';
  }

  *take(): Iterable<Example> {
    yield* this.items;
    this.items.length = 0;
  }

  /** Yields the examples that the reader makes after the last row. */
  *rest(reader: RowReader, signal: AbortSignal | undefined): Iterable<Example> {
    const parts = reader.end?.(this)[Symbol.iterator]();
    while (parts !== undefined && parts.next().done !== true) {
      throwIfCancelled(signal);
      yield* this.take();
    }
    yield* this.take();
  }
}

/** A file, or several, whose rows one reader turns into examples. */
export abstract class RowsDataset {
  abstract readonly path: string;
  readonly format: string;
  readonly title: Words;
  readonly form: ExampleForm;
  readonly reads: Recognised['reads'];
  readonly beside: string | undefined;
  readonly cluster: string | undefined;

  constructor(
    path: string,
    readonly found: Found,
  ) {
    const { format, recognised, cluster } = found;
    this.cluster = cluster;
    this.beside = recognised.beside && join(dirname(path), recognised.beside.name);
    this.format = format.id;
    this.title = recognised.title ?? format.title;
    this.form = recognised.form;
    this.reads = recognised.reads;
  }

  /** Passes rows to the handler, some at each step. `firstRow` is the number of the file's first row. */
  abstract feed(
    handler: EntryHandler,
    signal: AbortSignal | undefined,
    from?: Position,
    firstRow?: number,
  ): AsyncIterable<void>;

  /** Whether reading can start at this position. */
  abstract canStartAt(position: Position): boolean;

  read(options: ReadOptions = {}): AsyncGenerator<Example, void, undefined> {
    return this.examples(options);
  }

  after(position: Position, options: ReadOptions = {}): AsyncIterable<Example> | undefined {
    return this.readsRowsAlone() && this.canStartAt(position) ? this.examples(options, position) : undefined;
  }

  /** A reader with `end` joins rows, so it needs all of them. */
  protected readsRowsAlone(): boolean {
    return this.found.recognised.reader().end === undefined;
  }

  private async *examples(options: ReadOptions, from?: Position): AsyncGenerator<Example, void, undefined> {
    const { signal } = options;
    const queue = new Queue(options, this.cluster, from);
    const pause = pauses(signal);
    const reader = this.found.recognised.reader(await this.textBeside());
    const handler = { problem: queue.problem, entry: (entry: Entry) => reader.read(entry, queue) };
    for await (const step of this.feed(handler, signal, from)) {
      void step;
      await pause();
      // One step can have many captions, and the caller's work on each can take long.
      for (const example of queue.items) {
        await pause();
        yield example;
      }
      queue.items.length = 0;
    }
    yield* untilCancelled(queue.rest(reader, signal), signal);
  }

  private async textBeside(): Promise<string | undefined> {
    const { beside } = this;
    return beside && new TextDecoder().decode(await readBounded(beside));
  }
}

export class TextDataset extends RowsDataset implements Dataset {
  readonly encoding: string;

  constructor(
    readonly path: string,
    found: Found,
    readonly columns: readonly string[],
    readonly layout: TextLayout,
    readonly stored: DetectedEncoding,
  ) {
    super(path, found);
    this.encoding = describeEncoding(stored);
  }

  canStartAt({ place }: Position): boolean {
    const { kind } = this.layout;
    return (kind === 'lines' || kind === 'delimited') && place !== undefined;
  }

  async *feed(
    handler: EntryHandler,
    signal: AbortSignal | undefined,
    from?: Position,
    firstRow = 0,
  ): AsyncGenerator<void, void, undefined> {
    const { layout, columns, stored } = this;
    const framer = entryFramer(
      // Reading starts after the header row, so the framer gets the known column names.
      from !== undefined && layout.kind === 'delimited'
        ? { ...layout, header: layout.header ?? columns }
        : layout,
      stored,
      handler,
      longestRow,
      from ?? { row: firstRow, nth: 0 },
    );
    for await (const chunk of textChunks(this.path, stored, signal, from?.place?.offset)) {
      framer.feed(chunk);
      yield;
    }
    framer.end();
  }
}

/** The rows from `first` up to, but excluding, `limit`, with `shift` added to their numbers. */
export interface PartOfRows {
  signal?: AbortSignal;
  first: number;
  limit: number;
  shift: number;
}

/** A file whose rows have numbers, but no lines. Each row can be read alone. */
export abstract class CountedDataset extends RowsDataset {
  abstract readonly kind: 'parquet' | 'arrow' | 'tar';
  readonly path: string;
  constructor(
    private readonly counted: { path: string; readonly rowCount: number },
    found: Found,
    readonly columns: readonly string[],
  ) {
    super(counted.path, found);
    this.path = counted.path;
  }

  get rowCount(): number {
    return this.counted.rowCount;
  }

  /** The ids of the examples, if they are known without reading them. */
  get keys(): KeySet | undefined {
    return undefined;
  }

  protected abstract rows(handler: EntryHandler, part: PartOfRows): AsyncIterable<void>;

  canStartAt(): boolean {
    return true;
  }

  feed(
    handler: EntryHandler,
    signal: AbortSignal | undefined,
    from?: Position,
    firstRow = 0,
  ): AsyncIterable<void> {
    const first = from === undefined ? 0 : from.row - firstRow;
    return this.rows(handler, { signal, first, limit: Infinity, shift: firstRow });
  }

  /** The examples of a single row. They get the number `as`. */
  async *at(row: number, as = row): AsyncGenerator<Example, void, undefined> {
    const queue = new Queue({}, this.cluster);
    const reader = this.found.recognised.reader();
    const handler = { problem: queue.problem, entry: (entry: Entry) => reader.read(entry, queue) };
    for await (const step of this.rows(handler, { first: row, limit: row + 1, shift: as - row })) void step;
    yield* queue.rest(reader, undefined);
  }
}

/** A Parquet file. */
export class ParquetDataset extends CountedDataset implements Dataset {
  readonly kind = 'parquet';

  constructor(
    readonly file: ParquetFile,
    found: Found,
  ) {
    super(file, found, file.columns);
  }

  protected async *rows(handler: EntryHandler, part: PartOfRows): AsyncGenerator<void, void, undefined> {
    const { signal, first, limit, shift } = part;
    for await (const { row, fields } of this.file.entries(signal, first, limit)) {
      handler.entry(new Entry(row + shift, fields, undefined, undefined));
      yield;
    }
  }
}
