/* Prints the cells of an experiment: a line for each when its state is known, and a table at the end. */
import { relative } from 'node:path';
import { english } from '../../../base/english';
import type { BrokenThreshold } from '../../../experiment/finish';
import type { Plan } from '../../../experiment/plan';
import { figureOf } from '../../../probe/headline';
import { probeNamed } from '../../../probe/list';
import { readReport } from '../../../report/report';
import { log, print, printJson, table } from '../../terminal';
import type { Cell } from '../../../experiment/parts';

export interface RunResult {
  plan: Plan;
  cells: readonly Cell[];
  dry: boolean;
  json: boolean;
  broken: BrokenThreshold[];
  outputs: string[];
}

/** Such as "unchanged: captions · lgip · starter". */
export function cellLine(plan: Plan, cell: Cell): string {
  const state = cell.state === 'waiting' ? 'would run' : cell.state;
  const why = cell.error === undefined ? '' : `: ${cell.error.describe()}`;
  return `${state}: ${columnsOf(plan, cell).join(' · ')}${why}`;
}

export async function printRun(result: RunResult): Promise<void> {
  const { plan, cells, dry, json, broken, outputs } = result;
  for (const { dataset, seed, evaluator, condition, unscored } of broken)
    log(
      `threshold broken for ${[dataset, ...(seed === undefined ? [] : [`seed ${seed}`]), evaluator].join(' · ')}: ${
        condition ??
        `${unscored} examples have no score. To accept them, set "thresholds": { "allowLost": ${unscored} }`
      }`,
    );
  if (json) {
    printJson(jsonOf(result));
    return;
  }
  const hasSeeds = plan.groups.some(({ seed }) => seed !== undefined);
  const header = [
    'dataset',
    ...(hasSeeds ? ['seed'] : []),
    'probe',
    'evaluator',
    'state',
    'result',
    'report',
  ];
  const waiting = dry ? 'would run' : 'not run';
  const rows: string[][] = [];
  for (const cell of cells)
    rows.push([
      ...columnsOf(plan, cell, false),
      cell.state === 'waiting' ? waiting : cell.state,
      await resultOf(cell),
      cell.report === undefined ? '' : relative('', cell.report),
    ]);
  print(table(header, rows));
  print('');
  print(countsOf(cells, waiting));
  for (const file of outputs) print(`wrote ${relative('', file)}`);
}

/** The main metric with its interval. */
async function resultOf({ report: path, state }: Cell): Promise<string> {
  if (path === undefined || state === 'failed') return '';
  const report = await readReport(path);
  const figure = figureOf(probeNamed(report.probe), report);
  return figure === undefined ? '' : english(figure);
}

function columnsOf(plan: Plan, { group, probe, evaluator }: Cell, words = true): string[] {
  const hasSeeds = plan.groups.some(({ seed }) => seed !== undefined);
  const seed = words ? `seed ${group.seed}` : String(group.seed);
  return [group.dataset.name, ...(hasSeeds ? [seed] : []), probe, shortRef(evaluator)];
}

/** An evaluator inside the file by its name. */
function shortRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('#') + 1);
}

function countsOf(cells: readonly Cell[], waiting: string): string {
  const states = ['done', 'unchanged', 'failed', 'waiting'] as const;
  return states
    .map((state) => [cells.filter((cell) => cell.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state === 'waiting' ? waiting : state}`)
    .join(', ');
}

function jsonOf({ plan, cells, dry, broken, outputs }: RunResult): object {
  const { file, sha256, run = null, out } = plan;
  return {
    ...{ file, sha256, run, out, dryRun: dry },
    cells: cells.map(({ group, probe, evaluator, state, report, error }) => ({
      dataset: group.dataset.name,
      ...(group.seed === undefined ? {} : { seed: group.seed }),
      ...{ probe, evaluator: shortRef(evaluator), state },
      ...(report === undefined ? {} : { report }),
      ...(error === undefined ? {} : { error: english(error.words) }),
    })),
    brokenThresholds: broken,
    outputs,
  };
}
