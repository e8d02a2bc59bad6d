import { lstat, lutimes, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageError } from '../errors';
import { say } from '../say';
import { basename, dirname } from 'node:path';
import { cannotWrite } from './cannotWrite';
import { fileNow, knowsClock } from './fileClock';
import { free, hasEnded, overdueMs, ownerFrom, ownerToken, silenceOf, thisOwner } from './owner';
import { readBounded } from './readFile';
import { createFile, replaceFileSync, temporaryFor } from './writeFile';

/** The most bytes of a lock file, which names a process and a host. */
const mostToken = 1 << 12;
const mostNumber = 1e12;
const pauseMs = 20;
const beatMs = 10_000;
const beating = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/** Updates the file's modification time until the returned function is called or the file is deleted. */
export function keepAlive(path: string): () => void {
  beating.add(path);
  timer ??= setInterval(() => void Promise.all([...beating].map(beat)), beatMs).unref();
  return () => beating.delete(path);
}

export async function beat(path: string): Promise<void> {
  const now = new Date(fileNow(path));
  await lutimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') beating.delete(path);
  });
}

export interface Holder {
  held: boolean;
  /** The lock file. */
  path?: string;
  /** When the holder last updated the lock file, in milliseconds since 1970. */
  seenAt: number;
  pid?: number;
  host?: string;
}

/**
 * A lock held by one process. A process takes the lock by creating the file NAME.N with the next number N,
 * and only one process can succeed.
 */
export class Lease {
  private constructor(
    private readonly path: string,
    private readonly stop: () => void,
  ) {}

  /** Returns undefined if another process holds the lock or was faster. The folder of `name` must exist. */
  static async take(name: string, owner = thisOwner()): Promise<Lease | undefined> {
    const numbers = await numbersOf(name);
    const last = numbers.at(-1) ?? 0;
    if (last > 0 && (await holderIn(`${name}.${last}`))?.held) return undefined;
    if (last >= mostNumber) {
      // Captious never takes a lock this often, so another program wrote these files.
      await removeAll(name, numbers);
      return Lease.take(name, owner);
    }
    const path = `${name}.${last + 1}`;
    try {
      const file = await createFile(path);
      await file.writeFile(`${ownerToken(owner)} ${hostname()}`).finally(() => file.close());
      if (await isTaken(name, last + 1)) {
        await rm(path, { force: true });
        return undefined;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      // An empty file would count as held.
      await rm(path, { force: true }).catch(() => undefined);
      throw cannotWrite(path, error);
    }
    await removeAll(name, numbers);
    return new Lease(path, keepAlive(path));
  }

  async release(): Promise<void> {
    this.stop();
    await rm(this.path, { force: true });
  }

  /** Releases the lock but keeps its file, dated now. Synchronous: a process that ends cannot wait. */
  leave(): void {
    this.stop();
    replaceFileSync(this.path, free);
  }
}

/**
 * Whether another process has the lock, after this process created the file with this number. The listing before may
 * be outdated: the numbers start again at 1 after a release.
 */
async function isTaken(name: string, own: number): Promise<boolean> {
  const numbers = await numbersOf(name);
  if (numbers.at(-1) !== own) return true;
  for (const number of numbers.slice(0, -1)) if ((await holderIn(`${name}.${number}`))?.held) return true;
  return false;
}

/** Deletes lock files. Skips folders with such names, which do no harm because the next number is higher. */
async function removeAll(name: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers)
    await rm(`${name}.${number}`, { force: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_FS_EISDIR') throw error;
    });
}

/** Runs `act` with the lock. Throws if it is not free within `waitMs`. The folder of `name` must exist. */
export async function whileHeld<T>(name: string, act: () => Promise<T>, waitMs = 2 * overdueMs): Promise<T> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pauseMs) {
    const lease = await Lease.take(name);
    if (lease === undefined) {
      await sleep(pauseMs);
      continue;
    }
    try {
      return await act();
    } finally {
      await lease.release();
    }
  }
  const { pid, host, path } = (await holderOf(name)) ?? {};
  throw usageError(say('base.fileInUse', pid ?? '?', host ?? '?'), say('base.endOtherProcess'), path ?? name);
}

/** The holder of the lock, or its last holder if `held` is false. Undefined if no lock file exists. */
export async function holderOf(name: string): Promise<Holder | undefined> {
  const last = (await numbersOf(name)).at(-1);
  return last === undefined ? undefined : holderIn(`${name}.${last}`);
}

/** The numbers N of the existing files `name.N`, in ascending order. The file with the highest number is the lock. */
async function numbersOf(name: string): Promise<number[]> {
  const start = `${basename(name)}.`;
  const entries = await readdir(dirname(name), { withFileTypes: true });
  return entries
    .filter((entry) => entry.name.startsWith(start))
    .map((entry) => ({ entry, number: entry.name.slice(start.length) }))
    .filter(({ number }) => /^[1-9]\d{0,14}$/.test(number))
    .filter(({ entry, number }) => !entry.isDirectory() || Number(number) < mostNumber)
    .map(({ number }) => Number(number))
    .sort((a, b) => a - b);
}

/** Creates a file in the folder of `path` to learn which time it gets. */
async function compareClocks(path: string): Promise<void> {
  if (knowsClock(path)) return;
  const probe = temporaryFor(path);
  // Without permission to create a file, the process cannot take a lock either.
  const file = await createFile(probe).catch(() => undefined);
  await file?.close();
  await rm(probe, { force: true });
}

async function holderIn(path: string): Promise<Holder | undefined> {
  try {
    const state = await lstat(path);
    const { mtimeMs: seenAt } = state;
    // Anything but a small regular file, such as a link from a repository, is not a lock.
    if (!state.isFile() || state.size > mostToken) return { held: false, path, seenAt };
    const text = String(await readBounded(path, mostToken));
    const [token, ...host] = text.split(' ');
    const owner = ownerFrom(token);
    if (owner?.host !== thisOwner().host && Math.abs(fileNow(path) - seenAt) > overdueMs)
      await compareClocks(path);
    const silentMs = silenceOf(path, seenAt);
    // The lock is also free if its file was not updated for `overdueMs`. An empty file counts as held, because its
    // owner is still writing.
    const held = text !== free && !hasEnded(owner, silentMs) && silentMs <= overdueMs;
    return { held, path, seenAt, pid: owner?.pid, host: host.join(' ') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
