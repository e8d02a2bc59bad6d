import type { FileHandle } from 'node:fs/promises';
import { messageOf } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { Scratch } from '../../base/files/scratch';
import { compact } from './compact';
import { maxSegment, readRecord, recordHeader } from './format';
import type { Location } from './keyBlock';
import { KeyIndex } from './keyIndex';
import { readAt, Segments } from './segments';
import { SegmentWriter, type StoreRecord } from './writer';

/** Records closer than `nearby` are read together, at most `longestRead` bytes at once. */
const nearby = 32 << 10;
const longestRead = 4 << 20;
const openFiles = 48;

interface Candidate extends Location {
  /** Index of the key in the request. */
  at: number;
}

/**
 * Records by key on disk, shared by concurrent processes. Each process writes its own segments and reads all
 * segments. A damaged record counts as missing, and a full disk only disables writing.
 */
export class Store {
  private readonly scratch: Scratch;
  private readonly index: KeyIndex;
  private readonly segments: Segments;
  private readonly files = new Map<number, Promise<FileHandle>>();
  private readonly warned = new Set<string>();
  private writer: SegmentWriter | undefined;
  private ownSegment = -1;
  /** Records for the next write. */
  private queued: StoreRecord[] = [];
  private waiting = false;
  private writing: Promise<void> = Promise.resolve();
  private broken = false;
  private closed = false;

  private constructor(
    readonly folder: string,
    private readonly warn: (message: string) => void,
    also: readonly string[],
  ) {
    this.scratch = new Scratch(folder);
    this.index = new KeyIndex(this.scratch);
    const report = {
      warn: (about: string, message: string) => this.warnOnce(about, message),
      failed: (error: unknown) => this.giveUp(error),
    };
    this.segments = new Segments(folder, this.index, report, also);
  }

  /** `also` lists the folders of finished stores whose records are read, too. */
  static async open(
    folder: string,
    warn: (message: string) => void = () => undefined,
    also: readonly string[] = [],
  ): Promise<Store> {
    const store = new Store(folder, warn, also);
    await store.segments.refresh();
    return store;
  }

  /** The number of known entries, including other processes' entries. */
  get size(): number {
    return this.index.size;
  }

  get indexBytes(): number {
    return this.index.bytes;
  }

  /**
   * Payloads in the order of the keys; undefined for missing keys. Payloads are views of shared buffers, so
   * callers must copy those that they keep.
   */
  async get(keys: readonly Uint8Array[]): Promise<(Buffer | undefined)[]> {
    const found = new Array<Buffer | undefined>(keys.length);
    let missing = await this.fill(keys, [...keys.keys()], found);
    if (missing.length > 0 && this.segments.isStale) {
      await this.segments.refresh();
      missing = await this.fill(keys, missing, found);
    }
    return found;
  }

  /** Never rejects: reports the first failure to `warn`. */
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

  /** With `tidy`, small segments are merged if there are enough. */
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
    this.scratch.close();
    if (!tidy || writer === undefined || this.broken) return;
    // A failed merge loses no records, so it only causes a warning.
    await compact(this.folder).catch((error: unknown) =>
      this.warnOnce('compact', `small files could not be merged (${messageOf(error)}).`),
    );
  }

  /** Tries the known places of each key in turn. Returns the indexes of keys without a valid record. */
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
        const place = this.index.find(low, high);
        if (place === undefined) missing.push(at);
        else candidates.push({ at, ...place });
      }
      candidates.sort((a, b) => a.segment - b.segment || a.offset - b.offset);
      for (let from = 0, to; from < candidates.length; from = to) {
        to = runEnd(candidates, from);
        await this.read(keys, candidates.slice(from, to), found);
      }
      // `read` has made the index forget invalid places, so each round tries other places.
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
      // If the file is missing, another process has merged the segment into a new segment.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.segments.outdate();
      else this.warnOnce(`read ${segment}`, `${this.segments.id(segment)}.values: ${messageOf(error)}.`);
      bytes = Buffer.alloc(0);
    }
    for (const candidate of run) {
      const { at, length } = candidate;
      const payload = readRecord(bytes, candidate.offset - offset, length, keys[at]);
      if (payload === undefined) this.index.forget(candidate);
      else found[at] = payload;
    }
  }

  private file(segment: number): Promise<FileHandle> {
    if (segment === this.ownSegment && this.writer !== undefined) return Promise.resolve(this.writer.values);
    let file = this.files.get(segment);
    if (file === undefined) {
      file = openRegular(this.segments.valuesPath(segment));
      this.files.set(segment, file);
      file.catch(() => this.files.delete(segment));
      const [oldest] = this.files.keys();
      if (this.files.size > openFiles) this.letGo(oldest);
    }
    return file;
  }

  /** Closes the file of a segment after pending reads. */
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
        this.ownSegment = this.segments.addOwn(this.writer.id);
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
      `results cannot be cached (${messageOf(error)}). The run continues; its metrics are not affected.`,
    );
  }

  private warnOnce(about: string, message: string): void {
    if (this.warned.has(about)) return;
    this.warned.add(about);
    this.warn(`${this.folder}: ${message}`);
  }
}

function wordsOf(key: Uint8Array): [low: number, high: number] {
  const view = new DataView(key.buffer, key.byteOffset, 8);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

/** Finds the records to read together with the record at `from`. Returns the index after the last of them. */
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
