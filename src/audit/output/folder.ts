import { makeFolder } from '../../base/files/cannotWrite';
import { removeStaleParts } from '../../report/output';
import { leftIn } from '../resume/checkpoint';

export const defaultSeed = 42;

/** Creates the report folder. Removes the unfinished files of ended runs that cannot be resumed. */
export async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await removeStaleParts(folder, await leftIn(folder));
}
