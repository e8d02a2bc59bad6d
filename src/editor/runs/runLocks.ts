import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '../../base/processes';
import { createFile, replaceFileSync } from '../../base/writeFile';

/** Each that takes a run writes the next number: of several at the same time a single one can. */
const claimFile = /^claim\.(\d+)$/;
const nobody = '0';
const beatMs = 5_000;
/** A holder that was silent for so long is none: its number may belong to another process by now. */
const silentMs = 20_000;

export interface Holder {
  /** Its window is still there. */
  held: boolean;
  /** Milliseconds since 1970. */
  seenAt: number;
}

/** Says in the folder of each run of this window that it goes on here, and how lately that was true. */
export class RunLocks {
  /** Claims by the folders they are for. */
  private readonly paths = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pid = process.pid) {}

  /** false: another window holds it, or was quicker in taking it. */
  async take(folder: string): Promise<boolean> {
    if (this.paths.has(folder)) return true;
    await mkdir(folder, { recursive: true });
    const numbers = await claimsIn(folder);
    const last = numbers.at(-1);
    if (last !== undefined && (await holderIn(pathOf(folder, last)))?.held) return false;
    const path = pathOf(folder, (last ?? 0) + 1);
    try {
      const claim = await createFile(path);
      await claim.writeFile(String(this.pid)).finally(() => claim.close());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    for (const old of numbers) await rm(pathOf(folder, old), { force: true });
    this.paths.set(folder, path);
    this.timer ??= setInterval(() => this.beat(), beatMs).unref();
    return true;
  }

  async release(folder: string): Promise<void> {
    const path = this.paths.get(folder);
    if (path === undefined) return;
    this.paths.delete(folder);
    await rm(path, { force: true });
  }

  /** The window goes, and there may be no time for more than this: what it held is free at once. */
  leave(): void {
    clearInterval(this.timer);
    for (const path of this.paths.values()) replaceFileSync(path, nobody);
    this.paths.clear();
  }

  private beat(): void {
    const now = new Date();
    // A folder that somebody has deleted needs no claim.
    for (const path of this.paths.values()) utimes(path, now, now).catch(() => undefined);
  }
}

/** undefined: nobody has ever held it, or they let it go. */
export async function holderOf(folder: string): Promise<Holder | undefined> {
  const last = (await claimsIn(folder)).at(-1);
  return last === undefined ? undefined : holderIn(pathOf(folder, last));
}

function pathOf(folder: string, number: number): string {
  return join(folder, `claim.${number}`);
}

/** Their numbers, the one that counts last. */
async function claimsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => claimFile.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

async function holderIn(path: string): Promise<Holder | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const { mtimeMs: seenAt } = await stat(path);
    // An empty one is just being written.
    const isThere = text === '' || (text !== nobody && isProcessAlive(Number(text)));
    return { held: isThere && Date.now() - seenAt < silentMs, seenAt };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
