import { totalmem } from 'node:os';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';

/** Names a limit of one's own, in GB. */
export const memoryVariable = 'CAPTIOUS_MODEL_MEMORY';

/** The last words of a process that took more than it may, up to the figure. */
export const memoryWords = 'The model took more than';

/** How many bytes the process of a model may take: three quarters of what there is, unless a person said otherwise. */
export function mostMemory(env: NodeJS.ProcessEnv = process.env): number {
  const said = env[memoryVariable];
  if (said !== undefined && said !== '') {
    const gigabytes = Number(said);
    if (gigabytes > 0) return gigabytes * 1e9;
    throw new CaptiousError('usage', say`${memoryVariable} is "${said}", which is no number of GB.`, {
      remedy: say`Set it to a number such as 8, or not at all.`,
    });
  }
  // Of a container, which may have less than its machine; where there is no limit, a number beyond all machines.
  const allowed = process.constrainedMemory();
  return 0.75 * (allowed > 0 ? Math.min(totalmem(), allowed) : totalmem());
}
