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
  return new CaptiousError(full ? 'interrupted' : 'input', say('base.fileNotWritable', wordsOf(cause)), {
    at: path,
    remedy: full ? roomFor(path) : permissionFor(path),
    cause,
  });
}

export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new CaptiousError(full ? 'interrupted' : 'input', say('base.folderNotCreated', wordsOf(cause)), {
      at: folder,
      remedy: full ? roomFor(folder) : permissionFor(folder),
      cause,
    });
  }
}

function roomFor(path: string): Words {
  return isInHome(path) ? say('base.freeDiskSetHome') : say('base.freeDiskChangeFolder');
}

function permissionFor(path: string): Words {
  return isInHome(path) ? say('base.setWritableHome') : say('base.chooseWritableFolder');
}

/** Whether the user chooses this folder with CAPTIOUS_HOME and not with an option. */
function isInHome(path: string): boolean {
  const home = process.env.CAPTIOUS_HOME || findUserHome() !== undefined ? homeFolder() : undefined;
  if (home === undefined) return false;
  const within = relative(home, resolve(path));
  return within !== '..' && !/^\.\.[/\\]/.test(within) && !isAbsolute(within);
}
