import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJson } from '../../base/files/readJson';
import { parsed, wholeNumber } from '../../base/schema';
import { writeWhole } from '../../report/output';

/** In the folder of the shards: what was submitted to a scheduler. */
export const submissionName = 'submission.json';

const submission = z.object({
  schema: z.literal('captious/submission@1'),
  engine: z.enum(['slurm', 'k8s']),
  dataset: z.string(),
  shards: wholeNumber,
  probes: z.array(z.string()),
  /** Evaluators that one task runs together. */
  groups: z.array(z.array(z.string())),
  /** The scheduler's ids of the array and of the merge. */
  jobs: z.array(z.string()),
});

export type Submission = z.infer<typeof submission>;

export function writeSubmission(folder: string, value: Submission): Promise<void> {
  return writeWhole(join(folder, submissionName), `${JSON.stringify(value, null, 1)}\n`);
}

/** undefined if nothing was submitted to this folder. */
export async function readSubmission(folder: string): Promise<Submission | undefined> {
  try {
    return parsed(submission, await readJson(join(folder, submissionName)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
