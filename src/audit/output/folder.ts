import { mkdir } from 'node:fs/promises';
import { CaptiousError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { removeStaleParts } from '../../report/output';
import { leftIn } from '../resume/checkpoint';

/** Default seed of the perturbations. */
export const defaultSeed = 42;

/** Creates the report folder and removes leftovers of killed runs unless they can be resumed. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new CaptiousError('input', say`The folder cannot be created: ${wordsOf(cause)}.`, {
      at: folder,
      remedy: say`Choose another folder with --out.`,
      cause,
    });
  }
  await removeStaleParts(folder, await leftIn(folder));
}
