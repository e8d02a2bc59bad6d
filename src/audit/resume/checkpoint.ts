import { append } from '../../base/append';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beat, keepAlive } from '../../base/files/lease';
import { isLeft, isPart, renamedPart } from '../../base/files/owner';
import { openRegular, readBounded } from '../../base/files/readFile';
import { createFile, temporaryFor } from '../../base/files/writeFile';
import {
  choice,
  count,
  list,
  number,
  object,
  optional,
  type Shape,
  ShapeError,
  text,
} from '../../base/shape';

/*
 * A run writes down, beside its unfinished rows, how far it has come. One that is killed or cancelled leaves both, and
 * the next one that is asked the same takes its rows over instead of making them again. A line is a checksum and JSON;
 * the first names the run, each other one is a mark: so much of the rows stands, from so many examples.
 */

const headShape = object({
  schema: choice('captious/journal@1'),
  identity: text,
  /** For a person who looks into the file. */
  host: text,
  /** Names of the unfinished rows, one of each evaluator. */
  parts: list(text),
});

const leftOutShape = object({ reason: text, line: optional(count) });

const seatShape = object({
  /** Of the rows so far. */
  bytes: count,
  lines: count,
  crc: number,
  examples: count,
  /** Since the mark before: what took no part, and texts that were cut, by their keys. */
  leftOut: list(leftOutShape),
  cut: text,
});

const markShape = object({
  /** Examples read. */
  examples: count,
  /** What the photos of all of them were like. */
  photos: text,
  evaluatorRuns: list(seatShape),
});

type Head = ReturnType<typeof headShape>;
export type LeftOutOne = ReturnType<typeof leftOutShape>;
export type Mark = ReturnType<typeof markShape>;

/** What unfinished runs left. */
export interface Left {
  /** Paths of all of it. */
  files: string[];
  /** Leaves it to any other process. */
  release: () => Promise<void>;
  /** Paths of the rows, in the order of the evaluators. */
  parts: string[];
  marks: Mark[];
}

/** Whoever has not gone on from a run within two weeks does not want to. */
const keptFor = 14 * 24 * 3600_000;

export class Checkpoint {
  private readonly stopHeartbeat: () => void;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {
    this.stopHeartbeat = keepAlive(path);
  }

  static async begin(folder: string, identity: string, parts: readonly string[]): Promise<Checkpoint> {
    const path = temporaryFor(join(folder, nameOf(identity)));
    const checkpoint = new Checkpoint(path, await createFile(path));
    await checkpoint.write({
      schema: 'captious/journal@1',
      identity,
      host: hostname(),
      parts: parts.map((part) => basename(part)),
    });
    return checkpoint;
  }

  /** What it tells of must be with the system already. */
  mark(mark: Mark): Promise<void> {
    return this.write(mark);
  }

  private async write(value: object): Promise<void> {
    const json = JSON.stringify(value);
    await this.file.appendFile(`${sumOf(json)} ${json}\n`);
  }

  /** For the next run to find, on whatever host. */
  async leave(): Promise<void> {
    await this.close();
    await setFree(this.path);
  }

  async remove(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private async close(): Promise<void> {
    this.stopHeartbeat();
    await this.file.close();
  }
}

/** One name for all runs that would write the same rows with the same build of Captious. */
export function identityOf(parts: readonly unknown[]): string {
  const { mtimeMs, size } = statSync(__filename);
  return createHash('sha256')
    .update(JSON.stringify([...parts, mtimeMs, size]))
    .digest('hex');
}

/** Takes over what unfinished runs of this identity left in the folder: the rows of the one that came furthest. */
export async function findLeft(folder: string, identity: string): Promise<Left | undefined> {
  let best: Left | undefined;
  const files: string[] = [];
  const claims: Claim[] = [];
  const release = async (): Promise<void> => {
    for (const claim of claims) await claim.release();
  };
  for (const name of await journalsIn(folder)) {
    if (!name.startsWith(`.${nameOf(identity)}.`)) continue;
    const claim = await claimed(join(folder, name));
    if (claim === undefined) continue;
    claims.push(claim);
    const found = await readJournal(claim.path);
    if (found?.head.identity !== identity) continue;
    const { head, marks } = found;
    const parts = head.parts.map((part) => join(folder, part));
    append(files, [claim.path, ...parts]);
    if (marks.some(({ evaluatorRuns }) => evaluatorRuns.length !== parts.length)) continue;
    const sizes = await Promise.all(parts.map(sizeOf));
    const beyond = marks.findIndex(({ evaluatorRuns }) =>
      evaluatorRuns.some(({ bytes }, i) => bytes > sizes[i]),
    );
    const stand = beyond < 0 ? marks : marks.slice(0, beyond);
    if (best === undefined || stand.length > best.marks.length)
      best = { files, release, parts, marks: stand };
  }
  if (best === undefined) await release();
  return best;
}

/** Of nothing where there is no such file. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Names of the journals that may be gone on from, and of the rows that belong to them. */
export async function leftIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const name of await journalsIn(folder)) {
    const path = join(folder, name);
    // Another process may have taken it away meanwhile.
    const [head, state] = await Promise.all([headIn(path), stat(path)]).catch(() => []);
    if (head === undefined || state === undefined || Date.now() - state.mtimeMs > keptFor) continue;
    for (const part of [name, ...head.parts]) names.add(part);
  }
  return names;
}

async function journalsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('.journal-'));
  const left = await Promise.all(names.map((name) => isLeft(folder, name)));
  return names.filter((_, i) => left[i]);
}

interface Claim {
  path: string;
  release: () => Promise<void>;
}

/** Of several processes that want to resume a run, a single one can rename its journal. */
async function claimed(path: string): Promise<Claim | undefined> {
  const mine = join(dirname(path), renamedPart(basename(path), 'own'));
  try {
    await rename(path, mine);
  } catch {
    return undefined;
  }
  await beat(mine);
  const stopHeartbeat = keepAlive(mine);
  return {
    path: mine,
    release: async () => {
      stopHeartbeat();
      await setFree(mine);
    },
  };
}

async function setFree(path: string): Promise<void> {
  // Where that fails, the end of the process frees it, or an overdue heartbeat.
  await rename(path, join(dirname(path), renamedPart(basename(path), 'free'))).catch(() => undefined);
}

/** As far as it can be read: a line that broke off ends it. */
async function readJournal(path: string): Promise<{ head: Head; marks: Mark[] } | undefined> {
  const [first, ...lines] = String(await readBounded(path, 500 << 20).catch(() => ''))
    .split('\n')
    .slice(0, -1);
  const head = headOf(first ?? '');
  if (head === undefined) return undefined;
  const marks: Mark[] = [];
  for (const line of lines) {
    const mark = valueIn(line, markShape);
    if (mark === undefined) break;
    marks.push(mark);
  }
  return { head, marks };
}

/** The head of a journal that has a mark, too. */
async function headIn(path: string): Promise<Head | undefined> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 16));
    const [first, next = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return next === '' ? undefined : headOf(first);
  } finally {
    await file.close();
  }
}

function headOf(line: string): Head | undefined {
  const head = valueIn(line, headShape);
  return head?.parts.every((part) => isPart(part) && part === basename(part)) ? head : undefined;
}

/** undefined where the line broke off, or another program wrote it. */
function valueIn<T>(line: string, shape: Shape<T>): T | undefined {
  const json = line.slice(9);
  if (line.slice(0, 9) !== `${sumOf(json)} `) return undefined;
  try {
    return shape(JSON.parse(json), '');
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

function nameOf(identity: string): string {
  return `journal-${identity.slice(0, 16)}`;
}

function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
