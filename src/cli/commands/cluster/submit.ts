import { writeSubmission } from '../../../audit/shard/submission';
import { usageError } from '../../../base/errors';
import { type Call, type Command, text } from '../../arguments';
import { auditOptions, byImage, yes } from '../../options';
import { log, print, printJson } from '../../terminal';
import { type Plan, planOf } from './plan';
import { printJobs, submitJobs } from './sbatch';
import { slurmJobs, slurmOptions } from './slurm';
import { watch } from './watch';

export const submitCommand: Command = {
  name: 'submit',
  summary: 'run an audit in shards on a Slurm cluster',
  usage: ['submit FILE --probe P[,P…] --evaluator E[,E…] --shards N --engine slurm --out DIR'],
  operands: { FILE: 'a dataset file that all nodes can read' },
  options: {
    engine: { value: 'E', describe: 'slurm, which submits jobs. The only engine, and the default' },
    shards: { value: 'N', describe: 'number of shards for each evaluator' },
    'by-image': byImage,
    ...auditOptions,
    out: {
      value: 'DIR',
      describe: 'folder for shards, reports and rows, on a file system that all nodes share',
    },
    ...slurmOptions,
    'dry-run': { describe: 'only print the files and the jobs; write and submit nothing' },
    watch: { describe: 'wait for the merged reports, and print shards as they finish' },
    yes,
    json: { describe: 'print the submission as JSON' },
  },
  notes: [
    'Every name in a job script is quoted. A job has no terminal, so it cannot ask for consent to send requests or run Python code. Use --yes if you have not given this consent before. If Slurm requeues a job on another node, the job resumes from its checkpoint. docs/cluster.md describes every step.',
  ],
  examples: [
    'submit samples/captions.json --probe lgip --evaluator starter --shards 8 --engine slurm --out reports --dry-run',
  ],

  async run(call) {
    const engine = text(call.values, 'engine') ?? 'slurm';
    const plan = planOf(call);
    if (engine === 'slurm') return submitSlurm(call, plan);
    throw usageError(
      `--engine ${engine}: there is no such engine.`,
      'Choose slurm. On other schedulers, run "captious audit --shard" as docs/cluster.md describes.',
    );
  },
};

async function submitSlurm(call: Call, plan: Plan): Promise<number> {
  const { out } = plan;
  const jobs = slurmJobs(call, plan, [process.execPath, process.argv[1]]);
  if (call.values['dry-run'] === true) {
    printJobs(out, jobs);
    return 0;
  }
  const [first, second] = await submitJobs(out, jobs);
  await record(plan, [first, second]);
  if (call.values.json === true) printJson({ jobs: [first, second], out });
  else
    print(
      `Submitted ${plan.shards * plan.groups.length} shards as job ${first}, and the merge as job ${second}.`,
    );
  // With --json, standard output contains only the submission.
  const tell = call.values.json === true ? log : print;
  return call.values.watch === true ? watch(plan, [first, second], { signal: call.signal, tell }) : 0;
}

function record({ dataset, shards, probes, groups, out }: Plan, jobs: string[]) {
  const [schema, engine] = ['captious/submission@1', 'slurm'] as const;
  const value = { schema, engine, dataset, shards, probes, groups, jobs };
  return writeSubmission(out, value);
}
