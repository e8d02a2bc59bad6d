import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Archived, archived, readArchived } from './archived';
import { actionable, CaptiousError, inputError, messageOf, Reason, throwIfCancelled } from '../errors';
import { openRegular, readBounded } from './readFile';
import { say } from '../say';
import { openToAppend } from './writeFile';

/** The hash of a file that changed this recently is not cached: timestamps could miss its next change. */
const settled = 2500;
const chunk = 1 << 20;
const writeEvery = 512;
const mostResolved = 100_000;
/** A line of the cache in hex: key, content hash, and a checksum of both. */
const lineForm = /^([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{8})$/;

/**
 * SHA-256 hashes of files, cached on disk while path, size, inode and both timestamps stay the same. Several
 * processes can share the folder, because lines are only appended and broken lines are skipped.
 */
export class Fingerprints {
  private readonly memo: string | undefined;
  private known: Promise<Map<string, string>> | undefined;
  private readonly running = new Map<string, Promise<string>>();
  /** The real paths of files, because resolving one costs several system calls and each file is asked for often. */
  private readonly resolved = new Map<string, string>();
  private pending: string[] = [];
  private writing: Promise<void> = Promise.resolve();
  private lost = false;

  /** Without a folder, nothing is cached. `warn` is called once if the cache cannot be read or written. */
  constructor(
    folder: string | undefined,
    private readonly warn: (message: string) => void = () => undefined,
  ) {
    this.memo = folder === undefined ? undefined : join(folder, 'fingerprints-1.txt');
  }

  /** The hash of the current content in hex. Throws if the file changes again and again while it is read. */
  async sha256(path: string, signal?: AbortSignal): Promise<string> {
    throwIfCancelled(signal);
    const place = archived(path);
    const given = place?.archive ?? path;
    this.known ??= this.load();
    const cached = await this.known;
    const state = await named(path, () => stat(given, { bigint: true }));
    const keyAt = (file: string): string =>
      keyOf(place === undefined ? file : join(file, place.inner), state);
    // A link that leads elsewhere now leads to another inode, so a key of its earlier target is unknown.
    const before = this.resolved.get(given);
    const early = before === undefined ? undefined : cached.get(keyAt(before));
    if (early !== undefined) return early;
    const file = await named(path, () => realpath(given));
    if (this.resolved.size >= mostResolved) this.resolved.clear();
    this.resolved.set(given, file);
    const real = place === undefined ? file : join(file, place.inner);
    const key = keyAt(file);
    const known = cached.get(key);
    if (known !== undefined) return known;
    // A pipe is not opened, because that may wait forever for a writer.
    if (!state.isFile()) throw new CaptiousError('input', say('base.notFile'), { at: path });
    if (signal !== undefined) return this.measure(path, real, signal);
    // Callers without a signal share one reading of the file, because no caller can cancel it.
    let running = this.running.get(key);
    if (running === undefined) {
      running = this.measure(path, real, undefined).finally(() => this.running.delete(key));
      this.running.set(key, running);
    }
    return running;
  }

  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async measure(path: string, real: string, signal: AbortSignal | undefined): Promise<string> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const { hash, before, after } = await hashFile(path, real, signal);
      if (keyOf(real, before) !== keyOf(real, after)) continue;
      const changed = Math.max(Number(after.mtimeMs), Number(after.ctimeMs));
      if (Date.now() - changed > settled) await this.remember(keyOf(real, after), hash);
      return hash;
    }
    throw inputError(say('base.fileChangedWhileRead'), say('base.waitForWriters'), path);
  }

  private async remember(key: string, hash: string): Promise<void> {
    if (this.memo === undefined || this.lost) return;
    (await this.known)?.set(key, hash);
    this.pending.push(`${key} ${hash} ${check(key, hash)}\n`);
    if (this.pending.length >= writeEvery) await this.flush();
  }

  private async load(): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    if (this.memo === undefined) return known;
    let text: string;
    try {
      text = (await readBounded(this.memo, 500 << 20)).toString('latin1');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.giveUp(error);
      return known;
    }
    for (const line of text.split('\n')) {
      const parts = lineForm.exec(line);
      if (parts !== null && check(parts[1], parts[2]) === parts[3]) known.set(parts[1], parts[2]);
    }
    return known;
  }

  private async write(): Promise<void> {
    const lines = this.pending;
    if (lines.length === 0 || this.memo === undefined || this.lost) return;
    this.pending = [];
    try {
      await mkdir(join(this.memo, '..'), { recursive: true });
      // The leading line feed ends an incomplete line that a killed process may have written.
      const file = await openToAppend(this.memo);
      await file.appendFile(`\n${lines.join('')}`, 'latin1').finally(() => file.close());
    } catch (error) {
      this.giveUp(error);
    }
  }

  private giveUp(error: unknown): void {
    if (this.lost) return;
    this.lost = true;
    this.warn(`${this.memo}: file hashes cannot be cached (${messageOf(error)}).`);
  }
}

interface Hashed {
  hash: string;
  before: BigIntStats;
  after: BigIntStats;
}

async function hashFile(path: string, real: string, signal: AbortSignal | undefined): Promise<Hashed> {
  const place = archived(real);
  if (place !== undefined) return named(path, () => hashArchived(place));
  const file = await named(path, () => openRegular(real));
  try {
    const before = await file.stat({ bigint: true });
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunk, Number(before.size))));
    for (;;) {
      throwIfCancelled(signal);
      const { bytesRead } = await named(path, () => file.read(buffer, 0, buffer.length, null));
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { hash: hash.digest('hex'), before, after: await file.stat({ bigint: true }) };
  } finally {
    await file.close();
  }
}

async function hashArchived(place: Archived): Promise<Hashed> {
  const before = await stat(place.archive, { bigint: true });
  const hash = createHash('sha256')
    .update(await readArchived(place))
    .digest('hex');
  return { hash, before, after: await stat(place.archive, { bigint: true }) };
}

function keyOf(real: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  const identity = [real, ...[size, mtimeNs, ctimeNs, ino].map(String)];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}

function check(key: string, hash: string): string {
  return crc32(`${key} ${hash}`).toString(16).padStart(8, '0');
}

async function named<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Reason) throw inputError(error.what, say('base.copyArchiveAgain'), path);
    throw actionable(error, path);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
