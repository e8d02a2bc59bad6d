import { dirname, join } from 'node:path';
import { pauses, throwIfCancelled, untilCancelled } from '../base/errors';
import { readBounded } from '../base/files/readFile';
import { say } from '../base/say';
import type { Dataset, Position, Problem, ReadOptions } from './dataset';
import type { Sink } from './draft';
import type { Entry } from './entry';
import type { Example, ExampleForm } from './example';
import type { Found, Recognised, RowReader } from './format';
import { IdGuard } from './ids';
import { type TextLayout, entryFramer } from './layout';
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

abstract class Recognisable {
  readonly format: string;
  readonly title: string;
  readonly form: ExampleForm;
  readonly reads: Recognised['reads'];
  readonly beside: string | undefined;
  readonly cluster: string | undefined;
  protected readonly recognised: Recognised;

  constructor(path: string, { format, recognised, cluster }: Found) {
    this.cluster = cluster;
    this.beside = recognised.beside && join(dirname(path), recognised.beside.name);
    this.recognised = recognised;
    this.format = format.id;
    this.title = recognised.title ?? format.title;
    this.form = recognised.form;
    this.reads = recognised.reads;
  }

  /** Whether the reader makes the examples of each row without other rows. A reader with `end` joins rows. */
  protected readsRowsAlone(): boolean {
    return this.recognised.reader().end === undefined;
  }
}

export class TextDataset extends Recognisable implements Dataset {
  readonly encoding: string;

  constructor(
    readonly path: string,
    found: Found,
    readonly columns: readonly string[],
    private readonly layout: TextLayout,
    private readonly stored: DetectedEncoding,
  ) {
    super(path, found);
    this.encoding = describeEncoding(stored);
  }

  read(options: ReadOptions = {}): AsyncGenerator<Example, void, undefined> {
    return this.examples(options);
  }

  after(position: Position, options: ReadOptions = {}): AsyncIterable<Example> | undefined {
    const { kind } = this.layout;
    const isPossible = (kind === 'lines' || kind === 'delimited') && position.place !== undefined;
    return isPossible && this.readsRowsAlone() ? this.examples(options, position) : undefined;
  }

  private async *examples(options: ReadOptions, from?: Position): AsyncGenerator<Example, void, undefined> {
    const { signal } = options;
    const queue = new Queue(options, this.cluster, from);
    const pause = pauses(signal);
    const reader = this.recognised.reader(await this.textBeside());
    const { layout, columns } = this;
    const framer = entryFramer(
      // Reading starts after the header row, so the framer gets the known column names.
      from !== undefined && layout.kind === 'delimited'
        ? { ...layout, header: layout.header ?? columns }
        : layout,
      this.stored,
      { problem: queue.problem, entry: (entry) => reader.read(entry, queue) },
      longestRow,
      from,
    );
    for await (const chunk of textChunks(this.path, this.stored, signal, from?.place?.offset)) {
      framer.feed(chunk);
      // One chunk can have many captions, and the caller's work on each can take long.
      for (const example of queue.items) {
        await pause();
        yield example;
      }
      queue.items.length = 0;
    }
    framer.end();
    yield* untilCancelled(queue.rest(reader, signal), signal);
  }

  private async textBeside(): Promise<string | undefined> {
    const { beside } = this;
    return beside && new TextDecoder().decode(await readBounded(beside));
  }
}

/** A Parquet file. It is not text, so its rows have no line numbers or offsets. */
export class ParquetDataset extends Recognisable implements Dataset {
  readonly path: string;
  readonly columns: readonly string[];

  constructor(
    private readonly file: ParquetFile,
    found: Found,
  ) {
    super(file.path, found);
    this.path = file.path;
    this.columns = file.columns;
  }

  read(options: ReadOptions = {}): AsyncGenerator<Example, void, undefined> {
    const { signal } = options;
    return this.examples(new Queue(options, this.cluster), this.file.entries(signal), signal);
  }

  after(position: Position, options: ReadOptions = {}): AsyncIterable<Example> | undefined {
    if (!this.readsRowsAlone()) return undefined;
    const { signal } = options;
    return this.examples(
      new Queue(options, this.cluster, position),
      this.file.entries(signal, position.row),
      signal,
    );
  }

  /** The examples of a single row. */
  at(row: number): AsyncGenerator<Example, void, undefined> {
    return this.examples(new Queue({}, this.cluster), this.file.entries(undefined, row, row + 1), undefined);
  }

  private async *examples(
    queue: Queue,
    entries: AsyncIterable<Entry>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Example, void, undefined> {
    const reader = this.recognised.reader();
    const pause = pauses(signal);
    for await (const entry of entries) {
      await pause();
      reader.read(entry, queue);
      yield* queue.take();
    }
    yield* untilCancelled(queue.rest(reader, signal), signal);
  }
}
