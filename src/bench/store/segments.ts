import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import {
  entrySize,
  formatVersion,
  headerSize,
  type KeysHeader,
  maxPayload,
  readKeysHeader,
  segmentIdOf,
} from './format';
import type { KeyIndex } from './keyIndex';

/** Milliseconds after which the store looks again for new records of other processes. */
const stale = 1000;
/** How many bytes of a keys file are read at once. */
const readAtOnce = 1 << 20;

interface Segment {
  id: string;
  folder: string;
  /** The bytes already read from the keys file. */
  read: number;
  /** Whether the segment's writer has closed it. */
  sealed: boolean;
}

interface Report {
  /** Shows a warning once per `about`. */
  warn: (about: string, message: string) => void;
  /** Called if the folder cannot be read. */
  failed: (error: unknown) => void;
}

/** Numbers the segments of a store. Adds other processes' keys to the index. */
export class Segments {
  private readonly list: Segment[] = [];
  private readonly known = new Set<string>();
  private refreshing: Promise<void> | undefined;
  private refreshed = -Infinity;

  constructor(
    private readonly folder: string,
    private readonly index: KeyIndex,
    private readonly report: Report,
    /** The folders of finished stores, which are only read. */
    private also: readonly string[] = [],
  ) {}

  get isStale(): boolean {
    return performance.now() - this.refreshed > stale;
  }

  outdate(): void {
    this.refreshed = -Infinity;
  }

  id(segment: number): string {
    return this.list[segment].id;
  }

  valuesPath(segment: number): string {
    const { id, folder } = this.list[segment];
    return join(folder, `${id}.values`);
  }

  /** Adds this process's segment, whose keys the store adds to the index. Returns the segment's number. */
  addOwn(id: string): number {
    this.known.add(id);
    return this.list.push({ id, folder: this.folder, read: 0, sealed: true }) - 1;
  }

  /** Indexes the records that other processes wrote since the last refresh. */
  refresh(): Promise<void> {
    this.refreshing ??= this.lookAround().finally(() => {
      this.refreshed = performance.now();
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async lookAround(): Promise<void> {
    const { also } = this;
    this.also = [];
    for (const folder of also) await this.loadFrom(folder);
    await this.loadFrom(this.folder);
    for (const [number, segment] of this.list.entries()) {
      if (!segment.sealed) await this.tryLoad(segment.id, () => this.loadMore(number, segment));
    }
  }

  private async loadFrom(folder: string): Promise<void> {
    let names: string[];
    try {
      names = await readdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.report.failed(error);
      return;
    }
    const fresh = names.map(segmentIdOf).filter((id) => id !== undefined && !this.known.has(id)) as string[];
    // Loads one file at a time, so that large keys files need only one buffer.
    for (const id of fresh) await this.tryLoad(id, () => this.loadNew(folder, id));
  }

  private async tryLoad(id: string, load: () => Promise<void>): Promise<void> {
    try {
      await load();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.known.add(id);
      this.report.warn(`load ${id}`, `${id}.keys cannot be read (${messageOf(error)}).`);
    }
  }

  private async loadNew(folder: string, id: string): Promise<void> {
    const header = await this.headerOf(folder, id);
    if (header === undefined) return;
    if (header.version !== formatVersion) {
      this.report.warn(
        'version',
        `some cached results have the format ${header.version}, but this version of Captious reads the format ${formatVersion}. They are kept but not used.`,
      );
      return;
    }
    const segment = { id, folder, read: headerSize, sealed: header.sealed };
    const number = this.list.push(segment) - 1;
    await this.loadMore(number, segment);
  }

  /** The header of a new segment. Undefined if the file has no header or belongs to another program. */
  private async headerOf(folder: string, id: string): Promise<KeysHeader | undefined> {
    const file = await openRegular(join(folder, `${id}.keys`));
    try {
      const bytes = await readAt(file, 0, headerSize);
      // The writer of such a short file has just started or was killed.
      if (bytes.length < headerSize) return undefined;
      this.known.add(id);
      return readKeysHeader(bytes);
    } finally {
      await file.close();
    }
  }

  private async loadMore(number: number, segment: Segment): Promise<void> {
    const path = join(segment.folder, `${segment.id}.keys`);
    if ((await stat(path)).size < segment.read + entrySize) return;
    const file = await openRegular(path);
    try {
      // The header is read first, because the writer may close the segment while its entries are read.
      const header = readKeysHeader(await readAt(file, 0, headerSize));
      if (header === undefined) return;
      const { size } = await file.stat();
      while (segment.read + entrySize <= size) {
        const bytes = await readAt(file, segment.read, Math.min(readAtOnce, size - segment.read));
        if (bytes.length < entrySize) break;
        this.take(number, segment, bytes);
      }
      segment.sealed = header.sealed;
    } finally {
      await file.close();
    }
  }

  private take(number: number, segment: Segment, bytes: Buffer): void {
    const entries = Math.floor(bytes.length / entrySize);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, entries * 4);
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

export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
