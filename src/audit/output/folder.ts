import { mkdir } from 'node:fs/promises';
import { CaptiousError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { removeStaleParts } from '../../report/output';
import { leftIn } from '../resume/checkpoint';

/** Seed of the perturbations where the person names none. */
export const defaultSeed = 42;

/** Makes the folder reports go to, and takes away what a killed run left in it, but for what a run could go on from. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new CaptiousError('input', say`This folder cannot be made: ${wordsOf(cause)}.`, {
      at: folder,
      remedy: say`Choose another one with --out.`,
      cause,
    });
  }
  await removeStaleParts(folder, await leftIn(folder));
}
