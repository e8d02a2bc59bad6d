import { type FileHandle, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { compact } from './compact';
import {
  entrySize,
  formatVersion,
  headerSize,
  maxPayload,
  maxSegment,
  readKeysHeader,
  readRecord,
  recordHeader,
  segmentIdOf,
} from './format';
import { KeyIndex } from './keyIndex';
import { SegmentWriter, type StoreRecord } from './writer';

/** How old, in milliseconds, our picture of what other processes wrote may get. */
const stale = 1000;
/** Records closer than this are read in one go, up to so much at a time. */
const nearby = 32 << 10;
const longestRead = 4 << 20;
const openFiles = 48;

interface Segment {
  id: string;
  /** How far its keys have been read, in bytes. */
  read: number;
  /** Its writer has closed it. */
  sealed: boolean;
}

interface Candidate {
  /** Position in what was asked for. */
  at: number;
  entry: number;
  segment: number;
  offset: number;
  length: number;
}

/**
 * Records by key, on disk, shared by any number of processes at once. Each writes a segment of its own and sees those of
 * the others. What cannot be read whole is as good as absent; a disk that takes nothing costs the keeping, not the run.
 */
export class Store {
  private readonly index = new KeyIndex();
  private readonly segments: Segment[] = [];
  private readonly known = new Set<string>();
  private readonly files = new Map<number, Promise<FileHandle>>();
  private readonly warned = new Set<string>();
  private writer: SegmentWriter | undefined;
  private ownSegment = -1;
  /** What the next write takes with it, and whether it waits for its turn already. */
  private queued: StoreRecord[] = [];
  private waiting = false;
  private writing: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | undefined;
  private refreshed = -Infinity;
  private broken = false;
  private closed = false;

  private constructor(
    readonly folder: string,
    private readonly warn: (message: string) => void,
  ) {}

  static async open(folder: string, warn: (message: string) => void = () => undefined): Promise<Store> {
    const store = new Store(folder, warn);
    await store.refresh();
    return store;
  }

  /** Entries known of, those of other processes included. */
  get size(): number {
    return this.index.size;
  }

  get indexBytes(): number {
    return this.index.bytes;
  }

  /** Payloads in the order of the keys: views of what was read in one go, so copy what is to stay. */
  async get(keys: readonly Uint8Array[]): Promise<(Buffer | undefined)[]> {
    const found = new Array<Buffer | undefined>(keys.length);
    let missing = await this.fill(keys, [...keys.keys()], found);
    if (missing.length > 0 && performance.now() - this.refreshed > stale) {
      await this.refresh();
      missing = await this.fill(keys, missing, found);
    }
    return found;
  }

  /** Never rejects: what could not be kept is told to `warn`, once. */
  put(records: readonly StoreRecord[]): Promise<void> {
    if (records.length === 0 || this.closed) return this.writing;
    for (const record of records) this.queued.push(record);
    if (!this.waiting) {
      this.waiting = true;
      this.writing = this.writing.then(() => {
        const all = this.queued;
        this.queued = [];
        this.waiting = false;
        return this.write(all);
      });
    }
    return this.writing;
  }

  /** Merges small segments, where that pays and `tidy` asks for it. */
  async close({ tidy }: { tidy: boolean }): Promise<void> {
    this.closed = true;
    await this.writing;
    const writer = this.writer;
    this.writer = undefined;
    if (writer !== undefined) {
      try {
        if (!this.broken) await writer.seal();
        await writer.close();
      } catch (error) {
        this.giveUp(error);
      }
    }
    for (const file of this.files.values())
      await file.then((handle) => handle.close()).catch(() => undefined);
    this.files.clear();
    if (!tidy || writer === undefined || this.broken) return;
    // Merging is housekeeping: whatever stops it leaves the segments as they are.
    await compact(this.folder).catch((error: unknown) =>
      this.warnOnce('compact', `small files could not be merged (${messageOf(error)}).`),
    );
  }

  /** Tries every known place of each key; answers which keys have none left. */
  private async fill(
    keys: readonly Uint8Array[],
    wanted: readonly number[],
    found: (Buffer | undefined)[],
  ): Promise<number[]> {
    let pending = wanted;
    const missing: number[] = [];
    while (pending.length > 0) {
      const candidates: Candidate[] = [];
      for (const at of pending) {
        const [low, high] = wordsOf(keys[at]);
        const [entry] = this.index.find(low, high);
        if (entry === undefined) missing.push(at);
        else candidates.push({ at, entry, ...this.index.location(entry) });
      }
      candidates.sort((a, b) => a.segment - b.segment || a.offset - b.offset);
      for (let from = 0, to; from < candidates.length; from = to) {
        to = runEnd(candidates, from);
        await this.read(keys, candidates.slice(from, to), found);
      }
      // An entry that led nowhere has been forgotten, so that each round is about fewer places.
      pending = candidates.map(({ at }) => at).filter((at) => found[at] === undefined);
    }
    return missing;
  }

  private async read(
    keys: readonly Uint8Array[],
    run: readonly Candidate[],
    found: (Buffer | undefined)[],
  ): Promise<void> {
    const { segment, offset } = run[0];
    const last = run[run.length - 1];
    let bytes: Buffer;
    try {
      const file = await this.file(segment);
      const { size } = await file.stat();
      const end = Math.min(last.offset + recordHeader + last.length, size);
      bytes = await readAt(file, offset, Math.max(0, end - offset));
    } catch (error) {
      // Another process has merged the segment: what was in it is elsewhere now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.refreshed = -Infinity;
      else this.warnOnce(`read ${segment}`, `${this.segments[segment].id}.values: ${messageOf(error)}.`);
      bytes = Buffer.alloc(0);
    }
    for (const { at, entry, offset: place, length } of run) {
      const payload = readRecord(bytes, place - offset, length, keys[at]);
      if (payload === undefined) this.index.forget(entry);
      else found[at] = payload;
    }
  }

  private file(segment: number): Promise<FileHandle> {
    if (segment === this.ownSegment && this.writer !== undefined) return Promise.resolve(this.writer.values);
    let file = this.files.get(segment);
    if (file === undefined) {
      file = openRegular(join(this.folder, `${this.segments[segment].id}.values`));
      this.files.set(segment, file);
      file.catch(() => this.files.delete(segment));
      const [oldest] = this.files.keys();
      if (this.files.size > openFiles) this.letGo(oldest);
    }
    return file;
  }

  /** `close` waits for what is being read. */
  private letGo(segment: number): void {
    const file = this.files.get(segment);
    this.files.delete(segment);
    file?.then((handle) => handle.close()).catch(() => undefined);
  }

  private async write(records: readonly StoreRecord[]): Promise<void> {
    if (this.broken) return;
    try {
      if (this.writer !== undefined && this.writer.size > maxSegment) {
        await this.writer.seal();
        await this.writer.close();
        this.writer = undefined;
      }
      if (this.writer === undefined) {
        this.writer = await SegmentWriter.create(this.folder, { hidden: false });
        this.known.add(this.writer.id);
        this.ownSegment = this.segments.push({ id: this.writer.id, read: 0, sealed: true }) - 1;
      }
      const offsets = await this.writer.append(records);
      for (const [i, { key, payload }] of records.entries()) {
        const [low, high] = wordsOf(key);
        this.index.add(low, high, this.ownSegment, offsets[i], payload.length);
      }
    } catch (error) {
      this.giveUp(error);
    }
  }

  private giveUp(error: unknown): void {
    this.broken = true;
    this.warnOnce(
      'write',
      `embeddings are not kept for the next run (${messageOf(error)}). The run goes on; its figures are not affected.`,
    );
  }

  private warnOnce(about: string, message: string): void {
    if (this.warned.has(about)) return;
    this.warned.add(about);
    this.warn(`${this.folder}: ${message}`);
  }

  /** Takes in what other processes wrote since. */
  private refresh(): Promise<void> {
    this.refreshing ??= this.lookAround().finally(() => {
      this.refreshed = performance.now();
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async lookAround(): Promise<void> {
    let names: string[];
    try {
      names = await readdir(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.giveUp(error);
      return;
    }
    const fresh = names.map(segmentIdOf).filter((id) => id !== undefined && !this.known.has(id)) as string[];
    // One after another: keys files may be large, and one buffer at a time is enough.
    for (const id of fresh) await this.tryLoad(id, () => this.loadNew(id));
    for (const [number, segment] of this.segments.entries()) {
      if (!segment.sealed) await this.tryLoad(segment.id, () => this.loadMore(number, segment));
    }
  }

  private async tryLoad(id: string, load: () => Promise<void>): Promise<void> {
    try {
      await load();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.known.add(id);
      this.warnOnce(`load ${id}`, `${id}.keys cannot be read (${messageOf(error)}).`);
    }
  }

  private async loadNew(id: string): Promise<void> {
    const bytes = await readFile(join(this.folder, `${id}.keys`));
    // Shorter: its writer is just beginning, or never got further.
    if (bytes.length < headerSize) return;
    this.known.add(id);
    const header = readKeysHeader(bytes);
    if (header === undefined) return;
    if (header.version !== formatVersion) {
      this.warnOnce(
        'version',
        `some of it was written by another version of Captious (format ${header.version}, this one reads ${formatVersion}); it is left as it is and not used.`,
      );
      return;
    }
    const segment = { id, read: headerSize, sealed: header.sealed };
    const number = this.segments.push(segment) - 1;
    this.take(number, segment, bytes.subarray(headerSize));
  }

  private async loadMore(number: number, segment: Segment): Promise<void> {
    const path = join(this.folder, `${segment.id}.keys`);
    const { size } = await stat(path);
    if (size < segment.read + entrySize) return;
    const file = await openRegular(path);
    try {
      const header = readKeysHeader(await readAt(file, 0, headerSize));
      if (header === undefined) return;
      this.take(number, segment, await readAt(file, segment.read, size - segment.read));
      segment.sealed = header.sealed;
    } finally {
      await file.close();
    }
  }

  private take(number: number, segment: Segment, bytes: Buffer): void {
    const entries = Math.floor(bytes.length / entrySize);
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes);
    const words = new Uint32Array(aligned.buffer, aligned.byteOffset, entries * 4);
    this.index.reserve(entries);
    for (let at = 0; at < words.length; at += 4) {
      const offset = words[at + 2] * 8;
      if (offset >= headerSize && words[at + 3] <= maxPayload) {
        this.index.add(words[at], words[at + 1], number, offset, words[at + 3]);
      }
    }
    segment.read += entries * entrySize;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function wordsOf(key: Uint8Array): [low: number, high: number] {
  const view = new DataView(key.buffer, key.byteOffset, 8);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

/** Where the run of records that are worth one read ends. */
function runEnd(sorted: readonly Candidate[], from: number): number {
  const { segment, offset } = sorted[from];
  let end = offset;
  let to = from;
  for (; to < sorted.length; to++) {
    const next = sorted[to];
    const nextEnd = next.offset + recordHeader + next.length;
    if (
      to > from &&
      (next.segment !== segment || next.offset - end > nearby || nextEnd - offset > longestRead)
    ) {
      break;
    }
    end = Math.max(end, nextEnd);
  }
  return to;
}
