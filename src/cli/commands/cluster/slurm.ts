import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CaptiousError, usageError } from '../../../base/errors';
import { pythonVariable } from '../../../evaluator/python/interpreter';
import { repeated, type Call, type CommandOption, text } from '../../arguments';
import { checked, type Plan } from './plan';

/** The options of the jobs. */
export const slurmOptions: Record<string, CommandOption> = {
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
};

/** A job script and its `sbatch` arguments. */
export interface SlurmJob {
  script: string;
  args: string[];
}

export interface SlurmJobs {
  shards: SlurmJob;
  /** Begins when all shards have ended well, or just ended. */
  merge: SlurmJob & { after: 'afterok' | 'afterany' };
}

/** Quotes one word of a shell command. */
export function quoted(word: string): string {
  if (word.includes('\0')) throw new CaptiousError('usage', 'A name has a NUL character.', { at: word });
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function quotedLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/**
 * The jobs for the shards and the merge. File names are quoted in the scripts. All options of `sbatch` are arguments and
 * also lines of the script, so that an edited script can be submitted alone. The jobs run Captious from the environment in `--venv` if it is there, otherwise
 * by `own`, this Captious.
 */
export function slurmJobs(call: Call, plan: Plan, own: readonly string[]): SlurmJobs {
  checkVenv(call);
  const installed = inVenv(call, 'captious');
  const command = installed !== undefined && existsSync(installed) ? [installed] : own;
  const { partition } = checked(call, 'partition', /^[\w,.-]+$/);
  const { account } = checked(call, 'account', /^[\w.-]+$/);
  const { qos } = checked(call, 'qos', /^[\w,.-]+$/);
  const { constraint } = checked(call, 'constraint', /^[\w&|*()[\],.:=-]+$/);
  const { container } = checked(call, 'container', /^[^\0\r\n]+$/);
  const { out, shards, groups, time, memory, cpus, gpus } = plan;
  const tasks = shards * groups.length;
  const common = [
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...(account === undefined ? [] : [`--account=${account}`]),
    ...(qos === undefined ? [] : [`--qos=${qos}`]),
    ...(constraint === undefined ? [] : [`--constraint=${constraint}`]),
    ...(container === undefined ? [] : [`--container=${resolve(container)}`]),
    ...(time === undefined ? [] : [`--time=${time}`]),
    ...(memory === undefined ? [] : [`--mem=${memory.replace('i', '')}`]),
    `--chdir=${process.cwd()}`,
    '--open-mode=append',
  ];
  // Slurm expands % in the names of logs.
  const log = (name: string): string => `--output=${join(out, 'logs').replaceAll('%', '%%')}/${name}`;
  const ofShards = [
    '--job-name=captious',
    `--array=0-${tasks - 1}`,
    '--requeue',
    // The script replaces its shell with Captious (exec), so that Captious receives the signal.
    '--signal=B:TERM@60',
    ...(cpus === undefined ? [] : [`--cpus-per-task=${cpus}`]),
    ...(gpus === undefined ? [] : [`--gpus-per-task=${gpus}`, '--ntasks=1']),
    log('shard-%A_%a.log'),
    ...common,
  ];
  const ofMerge = [
    '--job-name=captious-merge',
    '--kill-on-invalid-dep=yes',
    ...(cpus === undefined ? [] : [`--cpus-per-task=${cpus}`]),
    log('merge-%j.log'),
    ...common,
  ];
  return {
    shards: {
      script: [...head(call, plan, ofShards), ...shardLines(plan, command)].join('\n'),
      args: [...ofShards, '--parsable'],
    },
    merge: {
      script: [...head(call, plan, ofMerge), `exec ${quotedLine([...command, ...plan.merge])}`, ''].join(
        '\n',
      ),
      args: [...ofMerge, '--parsable'],
      after: plan.after ?? 'afterok',
    },
  };
}

/** A line of a script with an option. Undefined if the value has a line break, which such a line cannot have. */
function directive(arg: string): string | undefined {
  const at = arg.indexOf('=') + 1;
  const value = arg.slice(at);
  if (/[\r\n]/.test(value)) return undefined;
  const safe = at === 0 || /^[\w./:=@%+,-]+$/.test(value);
  return `#SBATCH ${safe ? arg : `${arg.slice(0, at)}"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}

function head(call: Call, { after }: Plan, args: readonly string[]): string[] {
  const modules = repeated(call.values, 'module');
  for (const name of modules)
    if (!/^[\w.+/-]+$/.test(name))
      throw new CaptiousError('usage', `--module ${name}: this is not a valid module name.`);
  const python = inVenv(call, 'python') ?? process.env[pythonVariable];
  return [
    '#!/bin/bash -l',
    `# Written by "captious ${after === undefined ? 'submit' : 'run --shards'}". You can edit this file and submit it with sbatch,`,
    `# the merge with --dependency=${after ?? 'afterok'}:ID of the shards.`,
    ...args.flatMap((arg) => directive(arg) ?? []),
    ...modules.map((name) => `module load ${quoted(name)}`),
    ...activation(call),
    // A job inherits the variables of the shell that submitted it, which may name another interpreter.
    ...(python === undefined || python === '' ? [] : [`export ${pythonVariable}=${quoted(python)}`]),
  ];
}

/** Throws before anything is submitted, because a job would say it only in its log. */
function checkVenv(call: Call): void {
  const python = inVenv(call, 'python');
  if (python === undefined || existsSync(python)) return;
  throw usageError(
    `--venv ${text(call.values, 'venv')}: this is not a Python environment, because it has no bin/python.`,
    'Name the folder that "python3 -m venv" or "conda create --prefix" made.',
  );
}

/** Environments of conda have no script to activate them. */
function activation(call: Call): string[] {
  const activate = inVenv(call, 'activate');
  if (activate === undefined) return [];
  return existsSync(activate)
    ? [`source ${quoted(activate)}`]
    : [`export PATH=${quoted(dirname(activate))}:"$PATH"`];
}

/** A program of the environment in `--venv`. */
function inVenv({ values }: Call, name: string): string | undefined {
  const venv = text(values, 'venv');
  return venv === undefined ? undefined : join(resolve(venv), 'bin', name);
}

function shardLines({ shards, audits }: Plan, command: readonly string[]): string[] {
  return [
    `shard=$((SLURM_ARRAY_TASK_ID % ${shards} + 1))/${shards}`,
    `case $((SLURM_ARRAY_TASK_ID / ${shards})) in`,
    ...audits.map(
      ([name, ...args], group) => `${group}) set -- ${name} --shard="$shard" ${quotedLine(args)} ;;`,
    ),
    'esac',
    `exec ${quotedLine(command)} "$@"`,
    '',
  ];
}
