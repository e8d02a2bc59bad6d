import { existsSync } from 'node:fs';
import { CaptiousError, usageError } from '../../../base/errors';
import type { Words } from '../../../base/say';
import { homeFolder } from '../../../base/files/home';
import { readExperiment, smallest } from '../../../experiment/check';
import { brokenThresholds, writeOutputs } from '../../../experiment/finish';
import { type Plan, planOf } from '../../../experiment/plan';
import { cellsOf, runExperiment } from '../../../experiment/run';
import { parseShard } from '../../../audit/shard/shard';
import { cellsOfPart, type Part, unitsOf, type Cell } from '../../../experiment/parts';
import { type Call, type Command, text, type Values, wholeNumber } from '../../arguments';
import { slurmJobs, slurmOptions } from '../cluster/slurm';
import { yes } from '../../options';
import { logOption, MetricsLog } from '../../metricsLog';
import { Listener } from '../../reports';
import { agreed, log, logLeftOut, print, printJson } from '../../terminal';
import { cellLine, printRun, type RunResult } from './show';
import { resolve } from 'node:path';
import { commandLine } from '../cluster/commandLine';
import { sizesOf } from '../cluster/plan';
import { printJobs, submitJobs } from '../cluster/sbatch';

/** The names of experiment files that a run finds by itself. */
const usualNames = ['captious.json', 'captious.yaml', 'captious.yml'];

export const runCommand: Command = {
  name: 'run',
  summary: 'run an experiment file: datasets × probes × evaluators, only what changed',
  usage: ['run [NAME] [--file F] [--dry-run] [--json]', 'run [NAME] --shards N [--partition P] [--time T]'],
  operands: { NAME: 'a named run in the file, under "runs" (default: the run of the whole file)' },
  options: {
    file: {
      value: 'F',
      describe: `the experiment file (default: ${usualNames.join(', ')} in the current folder)`,
    },
    'dry-run': { describe: 'print what would run, and run nothing' },
    all: { describe: 'make every report again, also unchanged ones. Cached scores are reused' },
    yes,
    log: { ...logOption, describe: `${logOption.describe}. Unchanged reports are not in it` },
    shards: {
      value: 'N',
      describe:
        'run on a Slurm cluster: submit the cells in at most N tasks. The following options need this one',
    },
    ...slurmOptions,
    shard: { value: 'I/N', describe: 'run only part I of N, as a task of --shards does' },
    json: { describe: 'print the result as one JSON value, and nothing else' },
  },
  notes: [
    'The smallest experiment file. Paths in it are relative to the file; docs/experiment.md describes all keys:',
    [smallest],
    'Reports are in the folder "out"; with several datasets, in one folder for each dataset below it. The reports of a named run are in a folder of its name. A report is made again only if the dataset, an image, an option, the evaluator, the seed or the version of Captious changed.',
    'If a report fails, the others are still made, and the exit code is 2. If a threshold is broken, it is 1. After an interruption, the same command continues.',
  ],
  examples: ['run', 'run quick --dry-run', 'run --file experiments/probes.yaml --json'],

  async run(call) {
    const { positionals, values, signal } = call;
    const [name, ...more] = positionals;
    if (more.length > 0)
      throw usageError(
        `Expected at most one name of a run, but got ${positionals.length}.`,
        'See: captious run --help',
      );
    const home = homeFolder();
    const plan = await planOf(await readExperiment(text(values, 'file') ?? usualFile()), name, home);
    const dry = values['dry-run'] === true;
    const shards = wholeNumber(values, 'shards', 1);
    const shard = text(values, 'shard');
    checkShards(values);
    if (shards !== undefined) return submitCells(call, plan, shards);
    const all = cellsOf(plan);
    const part = shard === undefined ? undefined : parseShard(shard);
    const cells = part === undefined ? all : cellsOfPart(unitsOf(plan, all), part);
    const result: RunResult = { plan, cells, dry, json: values.json === true, broken: [], outputs: [] };
    const stopped = await runCells(result, {
      ...{ home, signal, all: values.all === true, log: text(values, 'log'), part },
      // What would run is no reason to ask.
      consent: (terms) =>
        dry && values.yes !== true ? Promise.resolve(false) : agreed(terms, values.yes === true, signal),
    });
    // The last job has all reports.
    if (stopped === undefined && !dry && part === undefined) {
      result.outputs = await writeOutputs(plan, cells, signal);
      result.broken = await brokenThresholds(plan, cells, { signal, onLeftOut: logLeftOut });
    }
    await printRun(result);
    if (stopped !== undefined) throw stopped;
    if (cells.some(({ state }) => state === 'failed')) return 2;
    return result.broken.length > 0 ? 1 : 0;
  },
};

function checkShards(values: Values): void {
  const needless = Object.keys(slurmOptions).find((name) => values[name] !== undefined);
  if (values.shards === undefined && needless !== undefined)
    throw usageError(`--${needless} needs --shards.`, 'Add --shards with the number of tasks.');
  if (values.shards !== undefined && values.shard !== undefined)
    throw usageError(
      '--shard and --shards cannot be combined.',
      'Use --shards to submit all parts, and --shard to run one here.',
    );
}

function usualFile(): string {
  const found = usualNames.filter((name) => existsSync(name));
  if (found.length === 1) return found[0];
  throw usageError(
    found.length === 0
      ? 'There is no captious.json in this folder.'
      : `There are several experiment files in this folder: ${found.join(', ')}.`,
    found.length === 0
      ? `Create it, for example: ${smallest}. Or name another file with --file.`
      : 'Choose one with --file.',
  );
}

interface RunSettings {
  home: string;
  signal: AbortSignal;
  all: boolean;
  log: string | undefined;
  part: Part | undefined;
  consent: (terms: Words) => Promise<boolean>;
}

/** Returns the interruption if the user cancelled the run. */
async function runCells(
  { plan, cells, dry }: { plan: Plan; cells: readonly Cell[]; dry: boolean },
  { log: path, ...settings }: RunSettings,
): Promise<CaptiousError | undefined> {
  const metricsLog = await MetricsLog.open(dry ? undefined : path);
  const listener = new Listener();
  try {
    await runExperiment(
      {
        ...{ plan, dry, ...settings },
        onEvent: (event) => {
          metricsLog?.hear(event);
          listener.hear(event);
        },
        onCell: (cell) => listener.say(cellLine(plan, cell)),
      },
      cells,
    );
    return undefined;
  } catch (error) {
    if (error instanceof CaptiousError && error.kind === 'interrupted') return error;
    throw error;
  } finally {
    listener.done();
    await metricsLog?.close();
    log('');
  }
}

/** Submits the cells in at most `shards` jobs, and a last one that checks the thresholds and writes the outputs. */
async function submitCells(call: Call, plan: Plan, shards: number): Promise<number> {
  const { values } = call;
  if (values.log !== undefined)
    throw usageError(
      '--log and --shards cannot be combined.',
      'Read the metrics from the reports, for example with "captious export".',
    );
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
