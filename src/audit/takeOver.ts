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
    let before: Mark | undefined;
    for (const mark of whole ? marks : []) {
      throwIfCancelled(signal);
      const pieces: Buffer[] = [];
      for (const [i, { bytes, crc }] of mark.seats.entries()) {
        const from = before?.seats[i].bytes ?? 0;
        const piece = await readExactly(files[i], from, bytes - from);
        crcs[i] = piece === undefined ? NaN : crc32(piece, crcs[i]);
        if (piece !== undefined && crcs[i] === crc) pieces.push(piece);
      }
      // The system kept less than it was given: what stands before is good.
      if (pieces.length < seats.length) break;
      for (const [i, seat] of seats.entries()) await handOver(job.bench, seat, mark.seats[i], pieces[i]);
      await job.onMark(mark);
      former = { examples: mark.examples, photos: mark.photos };
      before = mark;
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
    await trail.note(await photosOf(example));
    if (++examples < marks[held].examples) continue;
    if (trail.close() !== marks[held].photos || ++held === marks.length) break;
  }
  return marks.slice(0, held);
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, length, position);
  return bytesRead === length ? bytes : undefined;
}
