import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type CaptiousError, usageError } from '../../base/errors';
import { list, object, text } from '../../base/shape';
import { fullDate } from '../dates';
import { pick } from '../notify';
import { dateOf, type RunRecord } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { labelOf, type RunNode } from '../runs/runsView';

/** The arguments from a keybinding, a task or another extension. With them, the command asks no questions. */
const order = object({ reports: list(text) });

/** The paths of the selected reports, or of the selected runs' reports. Asks for runs if too few are selected. */
export async function selectedReports(
  runs: Runs,
  target: unknown,
  selected: unknown,
): Promise<string[] | undefined> {
  if (typeof target === 'object' && target !== null && 'reports' in target) return order(target, '').reports;
  const nodes = Array.isArray(selected) && selected.length > 1 ? (selected as unknown[]) : [];
  const files = nodes.flatMap((node) =>
    node instanceof vscode.Uri && node.path.endsWith('.report.json') ? [node.fsPath] : [],
  );
  if (files.length > 0) return files;
  await runs.load();
  const several = nodes.flatMap((node) => recordOf(runs, node) ?? []);
  const records = several.length > 1 ? several : await chooseRuns(runs);
  // The newest last, because the chart uses an evaluator's last report of a metric.
  return records?.toSorted((a, b) => a.createdAt - b.createdAt).flatMap((record) => runs.reportPaths(record));
}

/** The finished run whose id or tree node is `node`. Undefined for unfinished runs and other values. */
function recordOf(runs: Runs, node: unknown): RunRecord | undefined {
  const own = node as RunNode | undefined;
  const record = typeof node === 'string' ? runs.byId(node) : own?.kind === 'run' ? own.record : undefined;
  return record?.state === 'done' ? record : undefined;
}

async function chooseRuns(runs: Runs): Promise<RunRecord[] | undefined> {
  const done = runs.all.filter(({ state }) => state === 'done');
  if (!done.some(({ probes }) => probes.includes('human'))) throw nothingInCommon();
  return pick(
    done.map((record) => ({
      label: labelOf(record),
      description: record.figure,
      detail: `${basename(record.dataset)} · ${fullDate(dateOf(record))}`,
      picked: true,
      record,
    })),
    { title: vscode.l10n.t('Select the runs to compare'), canPickMany: true },
  ).then((chosen) => chosen?.map(({ record }) => record));
}

export function noneInSelection(): CaptiousError {
  return usageError(
    vscode.l10n.t(
      'In this selection, no evaluator has both a report of the probe "People" and a report of another probe.',
    ),
    vscode.l10n.t(
      'Select more runs or reports. If you have no more, audit a file of ratings or preferences with the probe "People", and a dataset with another probe, such as LGIP. Use the same evaluators in both audits.',
    ),
  );
}

function nothingInCommon(): CaptiousError {
  return usageError(
    vscode.l10n.t('There is no finished run with the probe "People".'),
    vscode.l10n.t(
      'Audit a file of ratings or preferences with the probe "People", and a dataset with another probe, such as LGIP. Use the same evaluators in both audits.',
    ),
  );
}
