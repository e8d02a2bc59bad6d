import { createHash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import type { Bench } from '../../bench/bench';
import type { Dataset, Problem } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import type { Left, Mark } from './checkpoint';
import type { PairRun, EvaluatorRun } from '../pairs';
import { ImageStates } from './imageStates';

/** The progress of an earlier run. */
export interface PreviousRun {
  examples: number;
  /** The state of the images at the last mark. */
  photos: string;
  /** The examples after the last mark. */
  rest: AsyncIterable<Example>;
}

export interface TakeOver {
  left: Left;
  evaluatorRuns: readonly EvaluatorRun[];
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  photosOf: PairRun['photosOf'];
  bench: Bench;
  signal: AbortSignal;
  /** Called with each mark that remains valid. */
  onMark: (mark: Mark) => Promise<void>;
}

/**
 * Takes over the rows of an unfinished run that are valid and whose images are unchanged. Deletes the run's other
 * files. Returns undefined if no row is valid. The caller must still add the rows to the summaries.
 */
export async function takeOver(job: TakeOver): Promise<PreviousRun | undefined> {
  const { left, evaluatorRuns, bench, signal } = job;
  const reading = new Reading(job);
  const held = await marksThatHold(job, reading);
  const parts = await Promise.all(left.parts.map((path) => Part.open(path)));
  let previous: PreviousRun | undefined;
  try {
    const marks = await marksWithRows(held, parts, signal);
    const last = marks.at(-1);
    if (last !== undefined) {
      // Writes the marks before the rows are moved, so that a killed process leaves no checkpoint without its
      // rows.
      for (const mark of marks) await job.onMark(mark);
      for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
        await parts[i].close();
        await evaluatorRun.rows.adopt(left.parts[i], { ...last.evaluatorRuns[i], hash: parts[i].hash });
        evaluatorRun.examples = last.evaluatorRuns[i].examples;
        for (const mark of marks) {
          const { leftOut, cut } = mark.evaluatorRuns[i];
          for (const { reason, line, number } of leftOut)
            evaluatorRun.exclusions.leaveOut(reason, line, number);
          bench.recallCuts(evaluatorRun.evaluator, cut);
          evaluatorRun.cuts?.push(cut);
        }
      }
      const { examples, photos } = last;
      previous = { examples, photos, rest: reading.after(examples) };
    }
  } finally {
    for (const part of parts) await part.close();
    if (previous === undefined) await reading.end();
  }
  for (const file of left.files) await rm(file, { force: true });
  return previous;
}

/** A file of unfinished rows, read mark by mark. */
class Part {
  readonly hash = createHash('sha256');
  private bytes = 0;
  private crc = 0;
  private buffer = Buffer.alloc(0);

  private constructor(private file: FileHandle | undefined) {}

  /** A missing file belonged to a run that was killed after its report was complete. */
  static async open(path: string): Promise<Part> {
    return new Part(await openRegular(path).catch(() => undefined));
  }

  /** The rows up to the next mark; undefined if the mark's checksum does not match. */
  async read({ bytes: end, crc }: Mark['evaluatorRuns'][number]): Promise<Buffer | undefined> {
    if (this.file === undefined) return undefined;
    const length = end - this.bytes;
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(2 * length);
    const piece = this.buffer.subarray(0, length);
    if (length > 0) {
      const localized = await this.file.read(piece, 0, length, this.bytes).catch(() => undefined);
      if (localized?.bytesRead !== length) return undefined;
    }
    this.bytes = end;
    this.crc = crc32(piece, this.crc);
    return this.crc === crc ? piece : undefined;
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }
}

/** The marks before the first mismatch, which occurs if the system lost data that was written. */
async function marksWithRows(
  marks: readonly Mark[],
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<readonly Mark[]> {
  for (const [at, mark] of marks.entries()) {
    throwIfCancelled(signal);
    const pieces = await Promise.all(parts.map((part, i) => part.read(mark.evaluatorRuns[i])));
    if (pieces.includes(undefined)) return marks.slice(0, at);
    for (const [i, piece] of pieces.entries()) parts[i].hash.update(piece!);
  }
  return marks;
}

/** The marks before the first changed image. Reads the examples up to there. */
async function marksThatHold(
  { left, photosOf, signal }: TakeOver,
  reading: Reading,
): Promise<readonly Mark[]> {
  const imageStates = new ImageStates();
  for (const [at, mark] of left.marks.entries()) {
    while (reading.count < mark.examples) {
      throwIfCancelled(signal);
      const example = await reading.next();
      if (example === undefined) return left.marks.slice(0, at);
      imageStates.note(await photosOf(example));
    }
    if ((await imageStates.close()) !== mark.photos) return left.marks.slice(0, at);
  }
  return left.marks;
}

/** Reads a dataset's examples to check them and then to continue the run, in one pass if possible. */
class Reading {
  count = 0;
  /**
   * Held back until it is clear that no other reading follows, because each reading finds the same problems.
   */
  private problems: Problem[] | undefined = [];
  private readonly examples: AsyncIterator<Example>;

  constructor(private readonly job: Pick<TakeOver, 'dataset' | 'onProblem' | 'signal'>) {
    const onProblem = (problem: Problem): void => {
      if (this.problems === undefined) job.onProblem(problem);
      else this.problems.push(problem);
    };
    this.examples = job.dataset.read({ signal: job.signal, onProblem })[Symbol.asyncIterator]();
  }

  async next(): Promise<Example | undefined> {
    const { done, value } = await this.examples.next();
    if (done) return undefined;
    this.count++;
    return value;
  }

  async *after(count: number): AsyncGenerator<Example> {
    if (count === this.count) {
      for (const problem of this.problems ?? []) this.job.onProblem(problem);
      this.problems = undefined;
      try {
        for (let example = await this.next(); example !== undefined; example = await this.next())
          yield example;
      } finally {
        await this.end();
      }
      return;
    }
    await this.end();
    let seen = 0;
    for await (const example of this.job.dataset.read(this.job)) if (++seen > count) yield example;
  }

  async end(): Promise<void> {
    await this.examples.return?.();
  }
}
