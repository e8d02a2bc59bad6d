import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type CaptiousError, interruptedError } from '../base/errors';
import { cannotWrite } from '../base/files/cannotWrite';
import { keepAlive, whileHeld } from '../base/files/lease';
import { isLeft, isOfOtherHost, isOfThisHost } from '../base/files/owner';
import { chunksOf } from '../base/files/readFile';
import { say } from '../base/say';
import { createFile, openToAppend, temporaryFor } from '../base/files/writeFile';

const flushAt = 1 << 16;

/** A file whose name is temporary until the file is complete. Both names are in the same folder. */
export class OutputFile {
  private chunks: Uint8Array[] = [];
  private size = 0;
  /** Absent if the file was adopted without a hash. `finish` then reads the file again. */
  private hash: Hash | undefined = createHash('sha256');
  lines = 0;

  /** `bytes` is the number of flushed bytes, and `crc` is their checksum. */
  bytes = 0;
  crc = 0;

  private sealed: string | undefined;
  private readonly stopHeartbeat: () => void;

  private constructor(
    public path: string,
    /** The path of the incomplete file. */
    readonly temporary: string,
    private handle: FileHandle,
  ) {
    this.stopHeartbeat = keepAlive(temporary);
  }

  static async create(path: string): Promise<OutputFile> {
    const temporary = temporaryFor(path);
    try {
      return new OutputFile(path, temporary, await createFile(temporary));
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
  }

  /** Starts with the first `kept.bytes` bytes of another process's unfinished file, hashed in `kept.hash`. */
  async adopt(
    left: string,
    kept: Pick<OutputFile, 'lines' | 'bytes' | 'crc'> & { hash?: Hash },
  ): Promise<void> {
    try {
      if (isOfThisHost(left)) {
        // The file is closed first, because some systems cannot replace an open file.
        await this.handle.close();
        await rename(left, this.temporary);
        this.handle = await openToAppend(this.temporary);
        await this.handle.truncate(kept.bytes);
      } else if (kept.bytes > 0) {
        // The file is copied, because a process on another host may still write to it.
        for await (const piece of chunksOf(left, kept.bytes)) await this.handle.writeFile(piece);
      }
    } catch (cause) {
      throw cannotWrite(this.path, cause);
    }
    this.lines = kept.lines;
    this.bytes = kept.bytes;
    this.crc = kept.crc;
    this.hash = kept.hash;
  }

  line(value: unknown): Promise<void> {
    return this.json(JSON.stringify(value));
  }

  /** Writes a line that is already JSON. */
  async json(text: string): Promise<void> {
    this.lines++;
    await this.write(`${text}\n`);
  }

  async write(piece: string | Uint8Array): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.chunks.push(bytes);
    this.size += bytes.length;
    if (this.size >= flushAt) await this.flush();
  }

  /** Passes the data to the operating system, so that they survive the process, but no power failure. */
  async flush(): Promise<void> {
    if (this.size === 0) return;
    const bytes = Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    this.hash?.update(bytes);
    this.bytes += bytes.length;
    this.crc = crc32(bytes, this.crc);
    try {
      await this.handle.writeFile(bytes);
    } catch (cause) {
      throw cannotWrite(this.path, cause);
    }
  }

  /** Completes the content and closes the file, which keeps its temporary name. Returns its SHA-256. */
  async seal(): Promise<string> {
    if (this.sealed !== undefined) return this.sealed;
    await this.flush();
    const hash = this.hash ?? (await this.hashAgain());
    try {
      await this.handle.sync();
      await this.handle.close();
    } catch (cause) {
      throw cannotWrite(this.path, cause);
    }
    return (this.sealed = hash.digest('hex'));
  }

  /** Renames the file to its final name, or to `path`. Returns its SHA-256. */
  async finish(path = this.path): Promise<string> {
    this.path = path;
    const sha256 = await this.seal();
    try {
      await rename(this.temporary, this.path);
      this.stopHeartbeat();
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw takenOver(this.path, cause);
      throw cannotWrite(this.path, cause);
    }
    return sha256;
  }

  /** The hash of an adopted file. Throws if the checksum of the file has changed. */
  private async hashAgain(): Promise<Hash> {
    const hash = createHash('sha256');
    let crc = 0;
    const pieces = this.bytes > 0 ? chunksOf(this.temporary, this.bytes) : [];
    for await (const piece of pieces) {
      hash.update(piece);
      crc = crc32(piece, crc);
    }
    if (crc === this.crc) return hash;
    throw interruptedError(say('report.unfinishedFileChanged'), say('resume.runAuditAgain'), this.temporary);
  }

  /** Deletes the unfinished file. */
  async discard(): Promise<void> {
    await this.leave();
    await rm(this.temporary, { force: true });
  }

  /** Keeps the unfinished file for a resumed run. */
  async leave(): Promise<void> {
    this.stopHeartbeat();
    await this.handle.close().catch(() => undefined);
  }
}

/** Runs `work` with a new file, and deletes the unfinished file if `work` fails. */
export async function intoFile<T>(path: string, work: (file: OutputFile) => Promise<T>): Promise<T> {
  const file = await OutputFile.create(path);
  try {
    return await work(file);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Writes a file of these pieces. Returns its SHA-256. */
export function writePieces(
  path: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<string> {
  return intoFile(path, async (file) => {
    for await (const piece of pieces) await file.write(piece);
    return file.finish();
  });
}

export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await writePieces(path, [content]);
}

/**
 * Runs `act` while no other process, on any host, gives files in this folder their final names. Files that belong
 * together, such as a report and its rows, are therefore never mixed with those of another run.
 */
export function whileNaming<T>(folder: string, act: () => Promise<T>): Promise<T> {
  return whileHeld(join(folder, '.naming'), act);
}

/**
 * Removes unfinished files of ended processes, except those in `keep`. Returns the silent files of other hosts, which
 * stay: a suspended host may continue to write them.
 */
export async function removeStaleParts(
  folder: string,
  keep: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const others: string[] = [];
  for (const name of await readdir(folder)) {
    if (!(await isLeft(folder, name))) continue;
    if (isOfOtherHost(name)) others.push(name);
    else if (!keep.has(name)) await rm(join(folder, name), { force: true });
  }
  return others;
}

function takenOver(path: string, cause: unknown): CaptiousError {
  return interruptedError(say('report.unfinishedFileRemoved'), say('report.lookForResumedRun'), path, cause);
}
