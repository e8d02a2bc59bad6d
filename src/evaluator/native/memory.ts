import { totalmem } from 'node:os';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';

/** The environment variable of the limit, in GB. */
export const memoryVariable = 'CAPTIOUS_MODEL_MEMORY';

/** The start of the last message of a process that exceeds its memory limit. */
export const memoryWords = 'The model took more than';

/**
 * A model process's memory limit in bytes: the user's, otherwise three quarters of the machine's or
 * container's memory.
 */
export function mostMemory(env: NodeJS.ProcessEnv = process.env): number {
  const said = env[memoryVariable];
  if (said !== undefined && said !== '') {
    const gigabytes = Number(said);
    if (gigabytes > 0) return gigabytes * 1e9;
    throw new CaptiousError(
      'usage',
      say`${memoryVariable} is "${said}", but must be a positive number of GB.`,
      {
        remedy: say`Set the variable to a number such as 8, or remove the variable.`,
      },
    );
  }
  // A container's limit, which may be below the machine's memory; 0 or a huge number if there is no limit.
  const allowed = process.constrainedMemory();
  return 0.75 * (allowed > 0 ? Math.min(totalmem(), allowed) : totalmem());
}
