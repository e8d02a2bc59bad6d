import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CaptiousError, inputError, wordsOf } from '../../base/errors';
import { readJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { parsed } from '../../base/schema';
import { writeWhole } from '../../report/output';
import { mostShards } from './shard';

/** The file in the shards' folder that records a submission to a scheduler. */
export const submissionName = 'submission.json';

const mostBytes = 1 << 20;
const schemaName = 'captious/submission@';

const name = z.string().check(z.minLength(1), z.maxLength(4096));
const names = z.array(name).check(z.minLength(1), z.maxLength(1000));

const submission = z.object({
  schema: z.literal(`${schemaName}1`),
  engine: z.literal('slurm'),
  dataset: name,
  shards: z.int().check(z.minimum(1), z.maximum(mostShards)),
  probes: names,
  groups: z.array(names).check(z.minLength(1), z.maxLength(1000)),
  /** Slurm's ids of the array job and the merge job. */
  jobs: z.array(name).check(z.maxLength(1000)),
});
export type Submission = z.infer<typeof submission>;

export function writeSubmission(folder: string, value: Submission): Promise<void> {
  return writeWhole(join(folder, submissionName), `${JSON.stringify(value, null, 1)}\n`);
}

/**
 * Reads a submission. Returns undefined if the file is missing, a link, too large or not a submission. Throws if a
 * field of a submission is invalid, or if its `schema` has an unknown version.
 */
export async function readSubmission(path: string): Promise<Submission | undefined> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isFile() !== true || found.size > mostBytes) return undefined;
  const value = await readJson(path, { bytes: mostBytes }).catch((error: unknown) => {
    if (error instanceof SyntaxError || error instanceof CaptiousError) return undefined;
    throw error;
  });
  if (!isOurs(value)) return undefined;
  try {
    return parsed(submission, value);
  } catch (cause) {
    throw inputError(
      say('shard.submissionUnreadable', wordsOf(cause)),
      say('shard.submitAgain'),
      path,
      cause,
    );
  }
}

function isOurs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('schema' in value)) return false;
  return typeof value.schema === 'string' && value.schema.startsWith(schemaName);
}
