import { closeSync, mkdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFileSync, ownerOnly, temporaryFor } from './writeFile';

/** Temporary data on disk. The file has no name, so the system removes it when the process ends. */
export class Scratch {
  private file: number | undefined;
  private end = 0;
  private full = false;

  constructor(private readonly folder: string) {}

  /** Writes bytes, by default at the end. Returns their position; undefined if the caller must keep them. */
  write(bytes: Uint8Array, position = this.end): number | undefined {
    if (this.full) return undefined;
    try {
      this.file ??= createUnnamed(this.folder);
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.file, bytes, done, bytes.length - done, position + done);
    } catch {
      this.full = true;
      return undefined;
    }
    this.end = Math.max(this.end, position + bytes.length);
    return position;
  }

  /** Fills `into` with the bytes from a position that `write` returned. */
  read(into: Uint8Array, position: number): void {
    for (let done = 0; done < into.length;) {
      const count = readSync(this.file!, into, done, into.length - done, position + done);
      if (count === 0) throw new Error(`The temporary file in ${this.folder} ends too early.`);
      done += count;
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
    this.full = true;
  }
}

function createUnnamed(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const path = temporaryFor(join(folder, 'scratch'));
  const file = createFileSync(path, ownerOnly);
  try {
    rmSync(path, { force: true });
    return file;
  } catch (error) {
    // Some systems cannot remove an open file.
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}
