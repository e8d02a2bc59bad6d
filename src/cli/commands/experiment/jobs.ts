/* Runs the cells of an experiment as Slurm jobs. */
import { resolve } from 'node:path';
import { CaptiousError } from '../../../base/errors';
import { type Plan } from '../../../experiment/plan';
import { unitsOf } from '../../../experiment/parts';
import { cellsOf } from '../../../experiment/run';
import type { Call } from '../../arguments';
import { print, printJson } from '../../terminal';
import { commandLine } from '../cluster/commandLine';
import { sizesOf } from '../cluster/plan';
import { printJobs, submitJobs } from '../cluster/sbatch';
import { slurmJobs } from '../cluster/slurm';

/** Submits the cells in at most `shards` jobs, and a last one that checks the thresholds and writes the outputs. */
export async function submitCells(call: Call, plan: Plan, shards: number): Promise<number> {
  const { values } = call;
  if (values.log !== undefined)
    throw new CaptiousError('usage', '--log and --shards cannot be combined.', {
      remedy: 'Read the metrics from the reports, for example with "captious export".',
    });
  const { out, run } = plan;
  const count = Math.min(shards, unitsOf(plan, cellsOf(plan)).length);
  const name = run === undefined ? [] : [run];
  const common = { file: resolve(plan.file), yes: values.yes };
  const jobs = slurmJobs(
    call,
    {
      ...{ dataset: plan.file, out, shards: count, probes: [], groups: [[]] },
      audits: [commandLine('run', name, { ...common, all: values.all })],
      merge: commandLine('run', name, common),
      // A failed cell does not stop the others, and the last job tries it again.
      after: 'afterany',
      ...sizesOf(call),
    },
    [process.execPath, process.argv[1]],
  );
  if (values['dry-run'] === true) {
    printJobs(out, jobs);
    return 0;
  }
  const ids = await submitJobs(out, jobs);
  if (values.json === true) printJson({ jobs: ids, out });
  else
    print(`Submitted the cells in ${count} tasks of job ${ids[0]}, and the end of the run as job ${ids[1]}.`);
  return 0;
}
