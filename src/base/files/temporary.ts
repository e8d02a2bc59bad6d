import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError, wordsOf } from '../errors';
import { say } from '../say';

/** Creates a temporary folder, which the caller removes. */
export async function temporaryFolder(purpose: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), `captious-${purpose}-`));
  } catch (cause) {
    throw new CaptiousError('usage', say`A temporary folder cannot be created here: ${wordsOf(cause)}.`, {
      at: tmpdir(),
      remedy: say`Set the environment variable TMPDIR (TEMP on Windows) to a folder that you can write to.`,
      cause,
    });
  }
}
