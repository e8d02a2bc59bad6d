import { mkdir } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { CaptiousError, wordsOf } from '../errors';
import { say, type Words } from '../say';
import { findUserHome, homeFolder } from './home';

/** The error for a file that could not be written, with a remedy that suits the cause and the folder. */
export function cannotWrite(path: string, cause: unknown): CaptiousError {
  if (cause instanceof CaptiousError) return cause;
  const code = (cause as NodeJS.ErrnoException).code;
  // A full disk or an exceeded limit can be resolved later. Other errors usually mean that the folder is wrong.
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new CaptiousError(
    full ? 'interrupted' : 'input',
    say`The file cannot be written: ${wordsOf(cause)}.`,
    { at: path, remedy: full ? roomFor(path) : permissionFor(path), cause },
  );
}

export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new CaptiousError(
      full ? 'interrupted' : 'input',
      say`The folder cannot be created: ${wordsOf(cause)}.`,
      { at: folder, remedy: full ? roomFor(folder) : permissionFor(folder), cause },
    );
  }
}

function roomFor(path: string): Words {
  return isInHome(path)
    ? say`Free up disk space, or set the environment variable CAPTIOUS_HOME to a folder on another disk, then try again.`
    : say`Free up disk space or choose another folder, then try again.`;
}

function permissionFor(path: string): Words {
  return isInHome(path)
    ? say`Set the environment variable CAPTIOUS_HOME to a folder that you can write to.`
    : say`Choose another folder, or allow writing to this one.`;
}

/** Whether the user chooses this folder with CAPTIOUS_HOME and not with an option. */
function isInHome(path: string): boolean {
  const home = process.env.CAPTIOUS_HOME || findUserHome() !== undefined ? homeFolder() : undefined;
  if (home === undefined) return false;
  const within = relative(home, resolve(path));
  return within !== '..' && !/^\.\.[/\\]/.test(within) && !isAbsolute(within);
}
