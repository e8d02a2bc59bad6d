import { makeFolder, removeStaleParts } from '../../report/output';
import { leftIn } from '../resume/checkpoint';

/** Default seed of the perturbations. */
export const defaultSeed = 42;

/** Creates the report folder and removes leftovers of killed runs unless they can be resumed. */
export async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await removeStaleParts(folder, await leftIn(folder));
}
