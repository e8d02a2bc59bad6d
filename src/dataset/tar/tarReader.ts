import type { FileHandle } from 'node:fs/promises';
import { Reason, throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { say } from '../../base/say';
import { blockSize, paxTexts, readHeader, type TarHeader, textOf } from './tarHeader';

/** Why a member is not part of a sample. */
export type Omission = 'link' | 'device' | 'sparse' | 'outside' | 'other';

export interface TarMember {
  name: string;
  omission?: Omission;
  /** The positions of its first header and of its bytes. */
  from: number;
  start: number;
  size: number;
}

/** The longest name and the longest PAX header. */
const mostOfExtension = 1 << 20;
/** Headers close to each other are read at once, those between images one by one. */
const windowInRow = 64 * 1024;
const windowAfterJump = 4 * 1024;
const mostPrefetched = 1 << 20;

const omissions: Partial<Record<string, Omission>> = {
  '1': 'link',
  '2': 'link',
  '3': 'device',
  '4': 'device',
  '6': 'device',
  S: 'sparse',
};
const regular = '07\0';

/** An open tar archive. Reads at positions, and unpacks nothing. */
export class TarReader {
  private window = Buffer.alloc(0);
  private windowAt = 0;

  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<TarReader> {
    const file = await openRegular(path);
    return new TarReader(file, (await file.stat()).size);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** The files and what else is left out, without folders. Throws a Reason for a damaged archive. */
  async *members(
    from: number,
    to: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<TarMember, void, undefined> {
    let at = from;
    while (at < to) {
      throwIfCancelled(signal);
      const next = await this.memberAt(at);
      if (next === undefined) return;
      if (next.member !== undefined) yield next.member;
      at = next.end;
    }
  }

  /**
   * Reads a range at once, if it is small, and what follows it up to `end`. Members in it are then found without further
   * readings.
   */
  async prefetch(from: number, to: number, end: number): Promise<void> {
    if (to - from > mostPrefetched || this.held(from, to - from) !== undefined) return;
    const window = Buffer.allocUnsafeSlow(Math.min(end - from, mostPrefetched));
    this.window = window.subarray(0, await this.fill(window, from));
    this.windowAt = from;
  }

  async bytes(start: number, length: number): Promise<Buffer> {
    const held = this.held(start, length);
    // Not from the shared pool, because the bytes may be transferred to another thread.
    const bytes = Buffer.alloc(length);
    if (held !== undefined) held.copy(bytes);
    else if ((await this.fill(bytes, start)) < length) throw truncated(start);
    return bytes;
  }

  /** Reads a member with the headers in front that give it a long name. Undefined at the end of the archive. */
  private async memberAt(from: number): Promise<{ member?: TarMember; end: number } | undefined> {
    let long: string | undefined;
    let pax: ReadonlyMap<string, string> | undefined;
    for (let at = from; ;) {
      if (at === this.size && at === from) return undefined;
      const header = readHeader(await this.block(at, from), at);
      if (header === undefined && at === from) return undefined;
      if (header === undefined) throw truncated(from);
      const start = at + blockSize;
      if (!/[LKxXg]/.test(header.type)) return this.withBytes(header, from, start, long, pax);
      if (header.size > mostOfExtension) throw new Reason(say('dataset.tarExtensionInvalid', at));
      if (start + header.size > this.size) throw truncated(from);
      const content = await this.bytes(start, header.size);
      if (header.type === 'L') long = textOf(content);
      else if (/[xX]/.test(header.type)) {
        pax = paxTexts(content);
        if (pax === undefined) throw new Reason(say('dataset.tarExtensionInvalid', at));
      }
      at = afterBytes(start, header.size);
    }
  }

  private async withBytes(
    header: TarHeader,
    from: number,
    headerEnd: number,
    long: string | undefined,
    pax: ReadonlyMap<string, string> | undefined,
  ): Promise<{ member?: TarMember; end: number }> {
    const { type } = header;
    let start = headerEnd;
    if (header.continues)
      for (let more = true; more; start += blockSize) more = (await this.block(start, from))[504] !== 0;
    const given = pax?.get('size');
    const size = given === undefined ? header.size : Number(given);
    if (given !== undefined && !/^\d{1,15}$/.test(given))
      throw new Reason(say('dataset.tarSizeInvalid', from));
    // As in Python's tarfile, links, devices and folders have no bytes, whatever their headers say.
    const hasBytes = !/[1-6]/.test(type);
    if (hasBytes && start + size > this.size) throw truncated(from);
    const end = hasBytes ? afterBytes(start, size) : start;
    const name = pax?.get('path') ?? long ?? header.name;
    if (type === '5' || (regular.includes(type) && name.endsWith('/'))) return { end };
    const isSparse = pax !== undefined && [...pax.keys()].some((key) => key.startsWith('GNU.sparse.'));
    const omission = isSparse ? 'sparse' : omissionOf(type, name);
    return { member: { name, from, start, size, ...(omission === undefined ? {} : { omission }) }, end };
  }

  private async block(at: number, from: number): Promise<Buffer> {
    const held = this.held(at, blockSize);
    if (held !== undefined) return held;
    const isNext = this.window.length > 0 && at <= this.windowAt + this.window.length;
    const window = Buffer.alloc(isNext ? windowInRow : windowAfterJump);
    this.window = window.subarray(0, await this.fill(window, at));
    this.windowAt = at;
    if (this.window.length < blockSize) throw truncated(from);
    return this.window.subarray(0, blockSize);
  }

  private held(start: number, length: number): Buffer | undefined {
    const at = start - this.windowAt;
    return at >= 0 && at + length <= this.window.length ? this.window.subarray(at, at + length) : undefined;
  }

  /** Returns how many bytes the file has there. */
  private async fill(bytes: Buffer, position: number): Promise<number> {
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.file.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }
}

function omissionOf(type: string, name: string): Omission | undefined {
  if (!regular.includes(type)) return omissions[type] ?? 'other';
  const leadsOut = /^(?:[/\\]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(name);
  return leadsOut ? 'outside' : undefined;
}

function afterBytes(start: number, size: number): number {
  return start + Math.ceil(size / blockSize) * blockSize;
}

function truncated(offset: number): Reason {
  return new Reason(say('dataset.tarTruncated', offset));
}
