import { join } from 'node:path';
import { writeWhole } from '../../report/output';

/** The file in the shards' folder that records what was submitted to a scheduler. */
export const submissionName = 'submission.json';

export interface Submission {
  schema: 'captious/submission@1';
  engine: 'slurm' | 'k8s';
  dataset: string;
  shards: number;
  probes: string[];
  /** Evaluators that one task runs together. */
  groups: string[][];
  /** The scheduler's ids of the array and of the merge. */
  jobs: string[];
}

export function writeSubmission(folder: string, value: Submission): Promise<void> {
  return writeWhole(join(folder, submissionName), `${JSON.stringify(value, null, 1)}\n`);
}
