import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../../base/files/cannotWrite';
import { writeSubmission } from '../../../audit/shard/submission';
import { CaptiousError, messageOf } from '../../../base/errors';
import { writeWhole } from '../../../report/output';
import { type Call, type Command, text } from '../../arguments';
import { auditOptions, yes } from '../../options';
import { log, print, printJson } from '../../terminal';
import { type Plan, planOf } from './plan';
import { quotedLine, type SlurmJob, slurmJobs } from './slurm';
import { watch } from './watch';

const run = promisify(execFile);

export const submitCommand: Command = {
  name: 'submit',
  summary: 'run an audit in shards on a Slurm cluster',
  usage: ['submit FILE --probe P[,P…] --evaluator E[,E…] --shards N --engine slurm --out DIR'],
  operands: { FILE: 'a dataset file that all nodes can read' },
  options: {
    engine: { value: 'E', describe: 'slurm, which submits jobs. The only engine, and the default' },
    shards: { value: 'N', describe: 'number of shards for each evaluator' },
    ...auditOptions,
    out: {
      value: 'DIR',
      describe: 'folder for shards, reports and rows, on a file system that all nodes share',
    },
    partition: { value: 'NAME', describe: 'Slurm partition' },
    account: { value: 'NAME', describe: 'Slurm account' },
    qos: { value: 'NAME', describe: 'Slurm quality of service' },
    constraint: { value: 'F', describe: 'features that the nodes must have, for example a100|h100' },
    container: {
      value: 'DIR',
      describe: 'OCI container bundle in which the job runs (--container of sbatch)',
    },
    time: { value: 'T', describe: "time limit of a job in Slurm's format, for example 30, 2:00:00 or 1-12" },
    memory: { value: 'SIZE', describe: 'memory of a job, for example 8G' },
    cpus: { value: 'N', describe: 'cores of a job; also sets --threads' },
    gpus: { value: '[TYPE:]N', describe: 'number of GPUs for each shard' },
    module: { value: 'NAME', multiple: true, describe: 'environment module to load in the job. Repeatable' },
    venv: {
      value: 'DIR',
      describe: 'Python environment to activate in the job. If Captious is installed there, the job uses it',
    },
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
    throw new CaptiousError('usage', `--engine ${engine}: there is no such engine.`, {
      remedy: 'Choose slurm. On other schedulers, run "captious audit --shard" as docs/cluster.md describes.',
    });
  },
};

async function submitSlurm(call: Call, plan: Plan): Promise<number> {
  const { out } = plan;
  const { shards, merge } = slurmJobs(call, plan, [process.execPath, process.argv[1]]);
  const files = { shards: join(out, 'shards.sbatch'), merge: join(out, 'merge.sbatch') };
  if (call.values['dry-run'] === true) {
    for (const [name, { script, args }] of Object.entries({ shards, merge })) {
      print(`# ${files[name as keyof typeof files]}\n${script}`);
      const after = name === 'merge' ? ['--dependency=afterok:ID'] : [];
      print(`# ${quotedLine(['sbatch', ...args, ...after, files[name as keyof typeof files]])}\n`);
    }
    return 0;
  }
  await makeFolder(join(out, 'logs'));
  await writeWhole(files.shards, shards.script);
  await writeWhole(files.merge, merge.script);
  const first = await sbatch(shards, files.shards);
  const second = await sbatch(merge, files.merge, [`--dependency=afterok:${first}`]);
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

async function sbatch({ args }: SlurmJob, file: string, more: readonly string[] = []): Promise<string> {
  try {
    const { stdout } = await run('sbatch', [...args, ...more, file]);
    // With --parsable, sbatch prints "ID" or "ID;CLUSTER".
    return stdout.trim().split(';')[0];
  } catch (cause) {
    throw new CaptiousError('input', `Slurm did not accept the job: ${messageOf(cause)}`, {
      at: file,
      remedy: 'Change the options of the job, or run this command on a node that can submit jobs.',
      cause,
    });
  }
}

function record({ dataset, shards, probes, groups, out }: Plan, jobs: string[]) {
  const [schema, engine] = ['captious/submission@1', 'slurm'] as const;
  const value = { schema, engine, dataset, shards, probes, groups, jobs };
  return writeSubmission(out, value);
}
