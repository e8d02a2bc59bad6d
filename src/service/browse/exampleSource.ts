import { closeSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cannotWrite } from '../../base/files/cannotWrite';
import { createFileSync, ownerOnly, temporaryFor } from '../../base/files/writeFile';
import type { Dataset, Problem } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import { KeySet } from '../../dataset/ids';
import type { ImageFinder } from '../../dataset/images/images';
import { readsAsFirst } from '../../dataset/readsAs';
import type { DatasetHead } from '../../protocol/parts/browsed';
import type { RowSource } from '../rows/rowSource';
import { isWrong, placeOf, rowOf } from './exampleRow';
import type { ReportResults } from './results';

/** What of a dataset is listed: it ends with the first limit that is reached. */
export interface Limits {
  examples: number;
  /** Of the rows in a temporary file. */
  bytes: number;
  ms: number;
}
export const usualLimits: Limits = { examples: 1_000_000, bytes: 1 << 30, ms: 30_000 };

const sampled = 50;
const problemsShown = 50;
const rowsPerChunk = 100;

/** Reads a dataset once, and keeps its examples without images as rows of a temporary file. */
export class ExampleSource implements RowSource {
  private readonly file = nameless();
  private size = 0;
  private readonly names = new KeySet();
  private readonly seen: Example[] = [];
  private counts = { examples: 0, captions: 0, inside: 0, found: 0 };
  private hasWrong = false;
  private isWhole = true;
  private problems: DatasetHead['problems'] = { count: 0, first: [] };

  /** `finder` is absent in an untrusted workspace. */
  constructor(
    private readonly dataset: Dataset,
    private readonly finder: ImageFinder | undefined,
    private readonly results: ReportResults | undefined,
    private readonly limits: Limits,
    private readonly signal?: AbortSignal,
  ) {}

  get path(): string {
    return this.dataset.path;
  }

  get head(): Omit<DatasetHead, 'stamp'> {
    const { examples, captions, inside, found } = this.counts;
    const { title, form, parts } = this.dataset;
    return {
      readsAs: readsAsFirst({ title, form }, this.seen),
      ...(parts && { parts: parts.length }),
      ...{ examples, captions, isWhole: this.isWhole, hasWrong: this.hasWrong, problems: this.problems },
      images: {
        distinct: this.names.size + inside,
        ...(this.finder && { found: found + inside }),
      },
    };
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const { signal, limits } = this;
    const end = performance.now() + limits.ms;
    let lines: string[] = [];
    for await (const example of this.dataset.read({ signal, onProblem: (one) => this.problem(one) })) {
      if (
        this.counts.examples >= limits.examples ||
        this.size >= limits.bytes ||
        (this.counts.examples > 0 && performance.now() > end)
      ) {
        this.isWhole = false;
        break;
      }
      await this.count(example);
      lines.push(`${JSON.stringify(rowOf(example, this.results?.worst.get(example.id)))}\n`);
      if (lines.length < rowsPerChunk) continue;
      yield this.written(lines);
      lines = [];
    }
    if (lines.length > 0) yield this.written(lines);
    const leftOut = this.results?.leftOut;
    if (leftOut !== undefined) this.add({ severity: 'warning', message: leftOut, place: '' });
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.file, bytes, done, length - done, offset + done);
      if (read === 0) throw new Error('The temporary file of the examples was truncated.');
      done += read;
    }
    return Promise.resolve(bytes);
  }

  close(): Promise<void> {
    closeSync(this.file);
    return Promise.resolve();
  }

  private async count(example: Example): Promise<void> {
    const { counts, finder } = this;
    counts.examples++;
    counts.captions += example.captions.length;
    this.hasWrong ||= example.captions.some(isWrong);
    if (this.seen.length < sampled)
      this.seen.push({ ...example, images: example.images.map(({ name }) => ({ name })) });
    for (const { name, bytes } of example.images) {
      if (bytes !== undefined) counts.inside++;
      else if (this.names.add(name) && (await finder?.find(name))?.ok) counts.found++;
    }
  }

  private problem({ severity, message, row, place }: Problem): void {
    this.add({ severity, message, place: placeOf(row, place) });
  }

  private add(problem: DatasetHead['problems']['first'][number]): void {
    if (this.problems.count++ < problemsShown) this.problems.first.push(problem);
  }

  private written(lines: readonly string[]): Buffer {
    const bytes = Buffer.from(lines.join(''));
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.file, bytes, done);
    } catch (error) {
      throw cannotWrite(tmpdir(), error);
    }
    this.size += bytes.length;
    return bytes;
  }
}

/** A file that the system removes when it is closed. */
function nameless(): number {
  const path = temporaryFor(join(tmpdir(), 'captious-examples'));
  try {
    const file = createFileSync(path, ownerOnly);
    rmSync(path);
    return file;
  } catch (error) {
    throw cannotWrite(tmpdir(), error);
  }
}
