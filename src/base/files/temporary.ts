import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageError, wordsOf } from '../errors';
import { say } from '../say';

/** Creates a temporary folder, which the caller removes. */
export async function temporaryFolder(purpose: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), `captious-${purpose}-`));
  } catch (cause) {
    throw usageError(
      say('base.noTemporaryFolder', wordsOf(cause)),
      say('base.setTemporaryFolder'),
      tmpdir(),
      cause,
    );
  }
}
