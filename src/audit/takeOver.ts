import { type FileHandle, open, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { throwIfCancelled } from '../base/errors';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { Row } from '../probe/probe';
import type { Left, Mark } from './journal';
import type { PairRun, Seat } from './pairs';
import { PhotoTrail } from './photoTrail';

/** How far a former run had come. */
export interface Former {
  examples: number;
  /** Where the trail of their photos ends. */
  photos: string;
}

export interface TakeOver {
  left: Left;
  seats: readonly Seat[];
  dataset: Dataset;
  photosOf: PairRun['photosOf'];
  bench: Bench;
  signal: AbortSignal;
  /** Each mark that was taken over. */
  onMark: (mark: Mark) => Promise<void>;
}

/**
 * Hands the rows of an unfinished run to the seats, as far as they are whole and the photos they came from are what they
 * were. Answers undefined where nothing of it can be used; what it left is removed either way.
 */
export async function takeOver(job: TakeOver): Promise<Former | undefined> {
  const { left, seats, signal } = job;
  const marks = await marksThatHold(job);
  const files: FileHandle[] = [];
  let former: Former | undefined;
  try {
    for (const part of left.parts) {
      const file = await open(part).catch(() => undefined);
      // It was killed when its report stood already.
      if (file === undefined) break;
      files.push(file);
    }
    const whole = files.length === seats.length;
    const crcs = seats.map(() => 0);
    let next = whole ? read(files, undefined, marks[0]) : undefined;
    for (const [at, mark] of marks.entries()) {
      throwIfCancelled(signal);
      const pieces = await next;
      // What comes is read while this is taken in.
      next = read(files, mark, marks[at + 1]);
      const sums = pieces?.map((piece, i) => piece && crc32(piece, crcs[i]));
      // The system kept less than it was given: what stands before is good.
      if (pieces === undefined || sums?.some((sum, i) => sum !== mark.seats[i].crc)) break;
      for (const [i, seat] of seats.entries()) {
        crcs[i] = mark.seats[i].crc;
        await handOver(job.bench, seat, mark.seats[i], pieces[i]!);
      }
      await job.onMark(mark);
      former = { examples: mark.examples, photos: mark.photos };
    }
  } finally {
    for (const file of files) await file.close();
  }
  for (const file of left.files) await rm(file, { force: true });
  return former;
}

async function handOver(bench: Bench, seat: Seat, mark: Mark['seats'][number], piece: Buffer): Promise<void> {
  const lines = piece.toString('utf8').split('\n').slice(0, -1);
  for (const line of lines) seat.summary.add(JSON.parse(line) as Row);
  await seat.rows.write(piece);
  await seat.rows.flush();
  seat.rows.lines = mark.lines;
  seat.examples = mark.examples;
  for (const { reason, line } of mark.failed) seat.ledger.leaveOut(reason, line);
  bench.recallCuts(seat.evaluator, mark.cut);
}

/** The marks up to the first after which a photo is not what it was. */
async function marksThatHold({ left, dataset, photosOf, signal }: TakeOver): Promise<readonly Mark[]> {
  const { marks } = left;
  const trail = new PhotoTrail();
  let held = 0;
  let examples = 0;
  for await (const example of dataset.read({ signal })) {
    throwIfCancelled(signal);
    trail.note(await photosOf(example));
    if (++examples < marks[held].examples) continue;
    if ((await trail.close()) !== marks[held].photos || ++held === marks.length) break;
  }
  return marks.slice(0, held);
}

/** What each file holds between two marks; undefined in the place of one that is too short or cannot be read. */
async function read(
  files: readonly FileHandle[],
  before: Mark | undefined,
  mark: Mark | undefined,
): Promise<(Buffer | undefined)[] | undefined> {
  if (mark === undefined) return undefined;
  return Promise.all(
    files.map(async (file, i) => {
      const from = before?.seats[i].bytes ?? 0;
      const bytes = Buffer.allocUnsafe(mark.seats[i].bytes - from);
      if (bytes.length === 0) return bytes;
      const told = await file.read(bytes, 0, bytes.length, from).catch(() => undefined);
      return told?.bytesRead === bytes.length ? bytes : undefined;
    }),
  );
}
