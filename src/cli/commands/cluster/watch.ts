import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { shardProgress } from '../../../audit/shard/progress';
import { interruptedError, messageOf, throwIfCancelled } from '../../../base/errors';
import { log } from '../../terminal';
import type { Plan } from './plan';

const run = promisify(execFile);
/** After this many failures in a row, squeue counts as unreachable. */
const mostFailures = 5;

interface Watching {
  signal: AbortSignal;
  /** Prints the path of each report. */
  tell: (line: string) => void;
  everyMs?: number;
}

/** Waits for the merge. Fails if all jobs end without a merge. */
export async function watch(
  plan: Pick<Plan, 'shards' | 'groups' | 'probes' | 'out'>,
  jobs: readonly string[],
  { signal, tell, everyMs = 2000 }: Watching,
): Promise<number> {
  const all = plan.shards * plan.groups.length;
  const expected = plan.probes.length * plan.groups.flat().length;
  let told = -1;
  let waits = '';
  let failures = 0;
  for (;;) {
    throwIfCancelled(signal);
    // Lists the jobs before the folder. In the other order, the last files of an ending job could be missed.
    const left = await jobsLeft(jobs);
    failures = typeof left === 'string' ? failures + 1 : 0;
    if (typeof left !== 'string' && left.waits !== waits) {
      waits = left.waits;
      if (waits !== '') log(`Jobs wait: ${waits}`);
    }
    if (typeof left === 'string' && failures >= mostFailures)
      throw interruptedError(
        `Slurm cannot list the unfinished jobs: ${left}`,
        'The jobs continue, and the last job writes the reports. Run "squeue" later to see whether it has ended.',
      );
    const { done, reports } = await shardProgress(plan.out, plan.shards);
    if (done !== told) log(`Shards done… ${done} of ${all}`);
    told = done;
    const isOver = typeof left !== 'string' && left.count === 0;
    if (isOver && done === all && reports.length >= expected) {
      for (const path of reports) tell(`report: ${path}`);
      return 0;
    }
    if (isOver)
      throw interruptedError(
        done < all
          ? `The jobs have ended, but ${all - done} shards are incomplete.`
          : 'The jobs have ended, but the merge wrote no reports.',
        'Read the logs, then submit again. Complete shards are not audited again.',
        join(plan.out, 'logs'),
      );
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Left {
  count: number;
  /** Slurm's reasons why jobs wait, such as Priority, or Dependency for the merge. */
  waits: string;
}

/** The unfinished jobs, or the reason why they are unknown. */
async function jobsLeft(jobs: readonly string[]): Promise<Left | string> {
  try {
    const { stdout } = await run('squeue', ['--noheader', `--jobs=${jobs.join(',')}`, '--format=%T|%r']);
    const lines = stdout.split('\n').filter((line) => line.trim() !== '');
    const reasons = lines.flatMap((line) => {
      const [state, reason] = line.trim().split('|');
      return state === 'PENDING' && reason !== undefined && reason !== 'None' ? [reason] : [];
    });
    return { count: lines.length, waits: [...new Set(reasons)].sort().join(', ') };
  } catch (error) {
    const why = messageOf(error);
    // Slurm forgets ended jobs after a few minutes. squeue has one exit code for all errors, so its text decides.
    return /Invalid job id/i.test(why) ? { count: 0, waits: '' } : why;
  }
}
