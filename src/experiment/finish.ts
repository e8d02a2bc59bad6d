/* What follows the cells of an experiment: thresholds and further formats. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append } from '../base/lists';
import { throwIfCancelled } from '../base/errors';
import { exportReport } from '../report/export/export';
import { gateFailures, unscored } from '../report/gate';
import { writePieces } from '../report/output';
import { type PaperForm, writePaper } from '../report/paper/paper';
import { readReport } from '../report/report';
import type { Reading } from '../report/trend/read';
import { brokenSteps, droppedIn } from './drops';
import type { Plan } from './plan';
import { tableForms } from './shape';
import type { Cell } from './parts';

export interface BrokenThreshold {
  dataset: string;
  seed?: number;
  evaluator: string;
  /** The condition that is true. Absent if too many examples have no score. */
  condition?: string;
  /** How many examples have no score. */
  unscored?: number;
}

/** Checks the thresholds for each dataset, seed and evaluator whose cells did not fail. */
export async function brokenThresholds(
  plan: Plan,
  cells: readonly Cell[],
  reading: Omit<Reading, 'metric'>,
): Promise<BrokenThreshold[]> {
  const found: BrokenThreshold[] = [];
  for (const group of plan.gates.length === 0 ? [] : plan.groups) {
    const own = cells.filter((cell) => cell.group === group);
    const failed = new Set(own.filter(({ state }) => state === 'failed').map(({ evaluator }) => evaluator));
    const whole = await Promise.all(
      own
        .filter(({ evaluator }) => !failed.has(evaluator))
        .map(async ({ evaluator, report: path }) => ({
          ...{ evaluator, path: path! },
          report: await readReport(path!),
        })),
    );
    const reports = whole.map(({ report }) => report);
    const of = { dataset: group.dataset.name, ...(group.seed === undefined ? {} : { seed: group.seed }) };
    const lost = reports.filter((report) => unscored(report) > plan.allowLost);
    const lostBy = new Set(lost.map(({ evaluator }) => evaluator.sha256));
    const scored = whole.filter(({ report }) => !lostBy.has(report.evaluator.sha256));
    for (const gate of plan.gates) {
      const dropped = droppedIn(gate, reports);
      const broken =
        dropped.length === 0
          ? gateFailures(gate, reports, plan.allowLost).broken
          : await brokenSteps(gate, dropped, plan, scored, reading);
      for (const evaluator of broken) found.push({ ...of, evaluator, condition: gate.text });
    }
    for (const report of lost)
      found.push({ ...of, evaluator: report.evaluator.id, unscored: unscored(report) });
  }
  return found;
}

/** Writes the outputs of new reports, and those that are missing. Returns the paths of the written files. */
export async function writeOutputs(
  plan: Plan,
  cells: readonly Cell[],
  signal: AbortSignal,
): Promise<string[]> {
  const written: string[] = [];
  const whole = cells.filter(({ state }) => state === 'done' || state === 'unchanged');
  const isTable = (form: string): form is PaperForm => (tableForms as readonly string[]).includes(form);
  for (const form of plan.outputs.filter((one) => !isTable(one)))
    for (const { report, state, probe } of whole) {
      throwIfCancelled(signal);
      const out = pathOf(report!, form);
      if (out === undefined || (form === 'lgip' && probe !== 'lgip')) continue;
      if (state === 'unchanged' && existsSync(out)) continue;
      await writePieces(out, exportReport(report!, form));
      written.push(out);
    }
  const reports = whole.map(({ report }) => report!);
  const isNew = whole.some(({ state }) => state === 'done');
  const paper = join(plan.out, 'paper');
  for (const to of plan.outputs.filter(isTable)) {
    if (reports.length === 0 || (!isNew && existsSync(paper))) continue;
    const files = await writePaper({ reports, layout: 'auto', to, spread: 'ci', out: paper, signal });
    append(written, files);
  }
  return written;
}

const endings: Readonly<Record<string, string>> = {
  junit: 'junit.xml',
  lgip: 'lgip.jsonl',
  json: 'export.json',
  webdataset: 'tar',
};

/** The path of an export next to its report. */
function pathOf(report: string, form: string): string {
  const stem = basename(report, '.report.json');
  return join(dirname(report), `${stem}.${Object.hasOwn(endings, form) ? endings[form] : form}`);
}
