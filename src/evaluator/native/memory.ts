import { totalmem } from 'node:os';
import type { Cause } from '../../base/childProcess';
import { usageError } from '../../base/errors';
import { say } from '../../base/say';

/** The environment variable that sets the memory limit in GB. */
export const memoryVariable = 'CAPTIOUS_MODEL_MEMORY';

/** The memory limit of a model process in bytes, unless the user sets one: ¾ of the machine or container. */
export function mostMemory(env: NodeJS.ProcessEnv = process.env): number {
  const said = env[memoryVariable];
  if (said !== undefined && said !== '') {
    const gigabytes = Number(said);
    if (gigabytes > 0) return gigabytes * 1e9;
    throw usageError(say('native.memoryLimitInvalid', memoryVariable, said), say('native.setMemoryLimit'));
  }
  // The memory limit of the container. If there is no limit, the value is 0 or a huge number.
  const allowed = process.constrainedMemory();
  return 0.75 * (allowed > 0 ? Math.min(totalmem(), allowed) : totalmem());
}

/** Why a process ended that exceeded this limit. */
export function overLimit(bytes: number): Cause {
  return { code: 'memory', values: [(bytes / 1e9).toFixed(1)] };
}
