import { resolve } from 'node:path';
import { usageError } from '../../../base/errors';
import { placed } from '../../../dataset/images/imagePlaces';
import { probeNamed } from '../../../probe/list';
import {
  type Call,
  list,
  missing,
  needed,
  onePositional,
  repeated,
  text,
  wholeNumber,
} from '../../arguments';
import { commandLine } from './commandLine';

/** A scheduler's tasks: every shard of every group of evaluators, then the merge. */
export interface Plan {
  dataset: string;
  out: string;
  shards: number;
  probes: string[];
  /** Groups of evaluators. One task runs all evaluators of a group. */
  groups: string[][];
  /** For each group, the command-line arguments of Captious without `--shard`. */
  audits: string[][];
  merge: string[];
  /** Set if the last job also begins after failed shards. */
  after?: 'afterany';
  time?: string;
  memory?: string;
  cpus?: number;
  gpus?: string;
}

/** The options of `submit` that are not passed to `audit`. */
export const jobOptions = [
  'engine',
  'shards',
  'partition',
  'account',
  'qos',
  'constraint',
  'container',
  'time',
  'memory',
  'cpus',
  'gpus',
  'module',
  'venv',
  'dry-run',
  'watch',
  'json',
] as const;

export function planOf(call: Call): Plan {
  const { values } = call;
  const dataset = resolve(onePositional(call, 'submit', 'A dataset file'));
  const probes = list(values, 'probe');
  const evaluators = [...new Set(list(values, 'evaluator'))];
  const shards = wholeNumber(values, 'shards', 1);
  if (probes.length === 0) throw missing('--probe', '"captious probes" lists them.');
  if (evaluators.length === 0) throw missing('--evaluator', '"captious evaluators" lists them.');
  if (shards === undefined) throw missing('--shards', 'A shard should take minutes to hours: --shards 16.');
  const out = resolve(needed(values, 'out', 'Specify a folder on a file system that all nodes share.'));
  // One task runs all evaluators of a gallery probe, because in RoCOCO the evaluators choose the changed words
  // together.
  const together = probes.some((id) => probeNamed(id).mode === 'gallery');
  const groups = together ? [evaluators] : evaluators.map((evaluator) => [evaluator]);
  const cpus = cpusOf(call);
  const audit = {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => !jobOptions.some((own) => own === name))),
    images: repeated(values, 'images').map((folder) => placed(folder)),
    out,
    ...(values.threads === undefined && cpus !== undefined ? { threads: String(cpus) } : {}),
  };
  return {
    dataset,
    out,
    shards,
    probes,
    groups,
    audits: groups.map((group) => commandLine('audit', [dataset], { ...audit, evaluator: group })),
    merge: commandLine('merge', [out], { yes: values.yes }),
    ...sizesOf(call),
  };
}

/** How much of a node a job needs, and for how long. */
export function sizesOf(call: Call): Pick<Plan, 'time' | 'memory' | 'gpus' | 'cpus'> {
  const cpus = cpusOf(call);
  return {
    ...checked(call, 'time', /^[\d:-]+$/),
    ...checked(call, 'memory', /^\d+[KMGT]i?$/),
    ...checked(call, 'gpus', /^([\w.-]+:)?\d+$/),
    ...(cpus === undefined ? {} : { cpus }),
  };
}

function cpusOf({ values }: Call): number | undefined {
  return wholeNumber(values, 'cpus', 1);
}

/** Returns the value of an option. Throws if it does not match `form`: it could inject text into the job. */
export function checked<K extends string>(
  { values }: Call,
  key: K,
  form: RegExp,
): Partial<Record<K, string>> {
  const value = text(values, key);
  if (value === undefined) return {};
  if (!form.test(value))
    throw usageError(
      `--${key} ${value}: the value does not have the expected form.`,
      'See: captious submit --help',
    );
  return { [key]: value } as Partial<Record<K, string>>;
}
