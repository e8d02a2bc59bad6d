import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import type { Bench } from '../../bench/bench';
import type { Dataset, Position, Problem } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import type { KeySet } from '../../dataset/ids';
import type { Left } from './checkpoint';
import type { Mark } from './mark';
import { addAnswers, positionOf } from '../pairs';
import { ImageStates } from './imageStates';
import type { PairRun, EvaluatorRun } from '../scoring/pairRun';

/** The progress of an earlier run. */
export interface PreviousRun {
  examples: number;
  position: Position;
  /** A hash of the states of all image files up to the last mark, from `ImageStates`. */
  images: string;
  /** The examples after the last mark. */
  rest: AsyncIterable<Example>;
}

export interface TakeOver {
  left: Left;
  evaluatorRuns: readonly EvaluatorRun[];
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  imagesOf: PairRun['imagesOf'];
  bench: Bench;
  signal: AbortSignal;
  /** Called with the valid marks. */
  onMarks: (marks: readonly Mark[]) => Promise<void>;
}

// Processor time to resume 200,000 rows of VISLA (fake evaluator, stopped 320 rows before the end): 6.0 s with the
// checkpoint, 46.2 s with the store alone. A new run up to there: 48.2 s.

/**
 * Takes over the rows of an unfinished run up to the last mark before a damaged row or changed image. Deletes the
 * run's files. Returns undefined if no mark is valid. The caller must add the rows to the summaries.
 */
export async function takeOver(job: TakeOver): Promise<PreviousRun | undefined> {
  const { left, signal } = job;
  const reading = new Reading(job);
  const held = await marksThatHold(job, reading);
  const parts = await Part.openAll(left.parts);
  let previous: PreviousRun | undefined;
  try {
    const marks = await marksWithRows(held, parts, signal);
    if (marks.length > 0) {
      for (const part of parts) await part.close();
      const hashes = parts.map(({ hash }) => hash);
      const last = await adopt(job, marks, hashes);
      recallCuts(job, marks);
      previous = { ...last, rest: reading.after(last.examples) };
    }
  } finally {
    for (const part of parts) await part.close();
    if (previous === undefined) await reading.end();
  }
  await removeAll(left.files);
  return previous;
}

/**
 * Moves the rows up to the last mark into this run, and returns that mark. `hashes` are the hashes of checked rows;
 * absent if the rows are unchecked.
 */
export async function adopt(
  { left, evaluatorRuns, onMarks }: TakeOver,
  marks: readonly Mark[],
  hashes?: readonly Hash[],
): Promise<Mark> {
  const last = marks[marks.length - 1];
  // The marks are written first. In the other order, a process that is killed between the two steps would leave
  // rows without marks.
  await onMarks(marks);
  for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
    await evaluatorRun.rows.adopt(left.parts[i], { ...last.evaluatorRuns[i], hash: hashes?.[i] });
    evaluatorRun.examples = last.evaluatorRuns[i].examples;
    for (const mark of marks) {
      for (const { reason, line, number, unscored } of mark.evaluatorRuns[i].leftOut)
        evaluatorRun.exclusions.leaveOut(reason, line, number, unscored === true ? true : undefined);
      for (const answers of mark.evaluatorRuns[i].answers) await addAnswers(evaluatorRun, answers);
    }
  }
  return last;
}

export function recallCuts(
  { evaluatorRuns, bench }: Pick<TakeOver, 'evaluatorRuns' | 'bench'>,
  marks: readonly Mark[],
): void {
  for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
    for (const mark of marks) {
      const { cut } = mark.evaluatorRuns[i];
      bench.recallCuts(evaluatorRun.evaluator, cut);
      evaluatorRun.cuts?.push(cut);
    }
  }
}

export async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** A file of unfinished rows, read mark by mark. */
export class Part {
  readonly hash = createHash('sha256');
  private bytes = 0;
  private crc = 0;
  private buffer = Buffer.alloc(0);

  /** False if the file is missing or is not a regular file. */
  readonly wasFound: boolean;

  private constructor(private file: FileHandle | undefined) {
    this.wasFound = file !== undefined;
  }

  /** Opens the rows files. One may be missing, because its run was killed after its report was complete. */
  static openAll(paths: readonly string[]): Promise<Part[]> {
    return Promise.all(paths.map(async (path) => new Part(await openRegular(path).catch(() => undefined))));
  }

  /** The rows up to the next mark; undefined if the mark's checksum differs. */
  async read({ bytes: end, crc }: Mark['evaluatorRuns'][number]): Promise<Buffer | undefined> {
    if (this.file === undefined) return undefined;
    const length = end - this.bytes;
    if (length > this.buffer.length) this.buffer = Buffer.allocUnsafe(2 * length);
    const piece = this.buffer.subarray(0, length);
    if (length > 0) {
      const result = await this.file.read(piece, 0, length, this.bytes).catch(() => undefined);
      if (result?.bytesRead !== length) return undefined;
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

/** The marks before the first mark whose rows are missing or damaged. A system crash can lose written rows. */
export async function marksWithRows(
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

/** The marks before the first changed image. Reads the examples up to that image. */
export async function marksThatHold(
  { left, imagesOf, signal }: Pick<TakeOver, 'left' | 'imagesOf' | 'signal'>,
  reading: Reading,
): Promise<readonly Mark[]> {
  const imageStates = new ImageStates();
  for (const [at, mark] of left.marks.entries()) {
    while (reading.count < mark.examples) {
      throwIfCancelled(signal);
      const example = await reading.next();
      if (example === undefined) return left.marks.slice(0, at);
      imageStates.note(await imagesOf(example));
    }
    if ((await imageStates.close()) !== mark.images) return left.marks.slice(0, at);
  }
  return left.marks;
}

/** Keeps problems back until `release`, because each reading of a dataset finds the same problems. */
export class HeldProblems {
  private held: Problem[] | undefined = [];

  constructor(private readonly onProblem: (problem: Problem) => void) {}

  readonly add = (problem: Problem): void => {
    if (this.held === undefined) this.onProblem(problem);
    else this.held.push(problem);
  };

  release(): void {
    for (const problem of this.held ?? []) this.onProblem(problem);
    this.held = undefined;
  }
}

/** Reads a dataset's examples for the check and then for the run, in one pass if possible. */
export class Reading {
  count = 0;
  position: Position | undefined;
  readonly problems: HeldProblems;
  private readonly examples: AsyncIterator<Example>;

  constructor(
    private readonly job: Pick<TakeOver, 'dataset' | 'onProblem' | 'signal'>,
    /** Receives the ids of returned examples. */
    private readonly ids?: KeySet,
  ) {
    this.problems = new HeldProblems(job.onProblem);
    const { signal } = job;
    this.examples = job.dataset.read({ signal, onProblem: this.problems.add })[Symbol.asyncIterator]();
  }

  async next(): Promise<Example | undefined> {
    const { done, value } = await this.examples.next();
    if (done) return undefined;
    this.count++;
    this.ids?.add(value.id);
    this.position = positionOf(value, this.position);
    return value;
  }

  async *after(count: number): AsyncGenerator<Example> {
    if (count === this.count) {
      this.problems.release();
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
