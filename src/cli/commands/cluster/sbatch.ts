import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inputError, messageOf } from '../../../base/errors';
import { makeFolder } from '../../../base/files/cannotWrite';
import { writeWhole } from '../../../report/output';
import { print } from '../../terminal';
import { quotedLine, type SlurmJob, type SlurmJobs } from './slurm';

const run = promisify(execFile);

const fileOf = (out: string, name: keyof SlurmJobs): string => join(out, `${name}.sbatch`);

export function printJobs(out: string, { shards, merge }: SlurmJobs): void {
  for (const [name, { script, args }, after] of [
    ['shards', shards, []],
    ['merge', merge, [`--dependency=${merge.after}:ID`]],
  ] as const) {
    const file = fileOf(out, name);
    print(`# ${file}\n${script}`);
    print(`# ${quotedLine(['sbatch', ...args, ...after, file])}\n`);
  }
}

/** Writes the scripts and submits them. Returns the ids of the jobs. */
export async function submitJobs(out: string, { shards, merge }: SlurmJobs): Promise<[string, string]> {
  const files = [fileOf(out, 'shards'), fileOf(out, 'merge')] as const;
  await makeFolder(join(out, 'logs'));
  await writeWhole(files[0], shards.script);
  await writeWhole(files[1], merge.script);
  const first = await sbatch(shards, files[0]);
  return [first, await sbatch(merge, files[1], [`--dependency=${merge.after}:${first}`])];
}

async function sbatch({ args }: SlurmJob, file: string, more: readonly string[] = []): Promise<string> {
  try {
    const { stdout } = await run('sbatch', [...args, ...more, file]);
    // With --parsable, sbatch prints "ID" or "ID;CLUSTER".
    return stdout.trim().split(';')[0];
  } catch (cause) {
    throw inputError(
      `Slurm did not accept the job: ${messageOf(cause)}`,
      'Change the options of the job, or run this command on a node that can submit jobs.',
      file,
      cause,
    );
  }
}
