import { dirname } from 'node:path';

/*
 * The clock that dates new files, which may be a file server's. The clocks of hosts that share a folder can differ
 * from it and from each other, but it is the same for all of them.
 */

const offsets = new Map<string, number>();

/** Compares the clocks. `mtimeMs` is the modification time of the file `path`, which was created just now. */
export function noteClock(path: string, mtimeMs: number): void {
  offsets.set(dirname(path), mtimeMs - Date.now());
}

/** Whether this process has created a file in the folder of `path`. */
export function knowsClock(path: string): boolean {
  return offsets.has(dirname(path));
}

/** The time by the clock that dates the files in the folder of `path`. */
export function fileNow(path: string): number {
  return Date.now() + (offsets.get(dirname(path)) ?? 0);
}
