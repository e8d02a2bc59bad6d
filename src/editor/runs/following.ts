import { basename } from 'node:path';
import * as vscode from 'vscode';
import { trouble } from '../messages';
import { showError as tellError, showInformation, showWarning } from '../notify';
import type { Panels } from '../panel/panel';
import type { RunRecord } from './runRecord';
import type { RunOrder, Runs } from './runs';
import { labelOf, probesOf } from './runsView';

export interface FollowingParts {
  runs: Runs;
  panels: Panels;
  log: vscode.LogOutputChannel;
}

export interface AuditOutcome {
  id: string;
  state: RunRecord['state'];
  reports: string[];
  problem?: string;
}

/** Starts a run and opens its panel. Resolves when the run ends. */
export async function begin(parts: FollowingParts, order: RunOrder): Promise<AuditOutcome> {
  const { record, ended } = await parts.runs.start(order);
  return follow(parts, record, ended);
}

export async function follow(
  parts: FollowingParts,
  record: RunRecord,
  ended: Promise<RunRecord>,
): Promise<AuditOutcome> {
  await parts.panels.show({ run: record.id, compare: [] });
  await ended;
  const { id, state, problem } = record;
  if (state === 'failed' && problem !== undefined) showError(new Error(problem), parts.log);
  if (state === 'done' && !parts.panels.isVisible(record.id)) tellVerdict(record);
  const outcome: AuditOutcome = { id, state, reports: parts.runs.reportPaths(record) };
  return problem === undefined ? outcome : { ...outcome, problem };
}

/** Shows the verdict of a finished run as a notification, with a button that opens the panel. */
function tellVerdict(record: RunRecord): void {
  const of = `${basename(record.dataset)} · ${labelOf(record)}`;
  const open = vscode.l10n.t('Open');
  const told =
    record.measured === false
      ? showWarning(vscode.l10n.t('{0}: the run has no results. The panel gives the reasons.', of), open)
      : showInformation(
          record.sentence === undefined
            ? of
            : `${basename(record.dataset)} · ${probesOf(record)}: ${record.sentence}`,
          open,
        );
  void told.then((answer) => {
    if (answer === open) void vscode.commands.executeCommand('captious.openPanel', record.id);
  });
}

/** Shows an error as a notification. Does not wait until the user closes the notification. */
export function showError(error: unknown, log: vscode.LogOutputChannel): void {
  const show = vscode.l10n.t('Show Log');
  const manage = vscode.l10n.t('Manage Trust');
  const buttons = vscode.workspace.isTrusted ? [show] : [manage, show];
  void tellError(trouble(error), ...buttons).then((answer) => {
    if (answer === show) log.show();
    if (answer === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
}

/** Offers to restore deleted runs. Does not wait for the user's answer. */
export function offerUndo(runs: Runs, records: readonly RunRecord[]): void {
  const undo = vscode.l10n.t('Undo');
  const told = vscode.l10n.t('Deleted: {0}', records.map((record) => labelOf(record)).join(', '));
  void showInformation(told, undo).then(async (answer) => {
    if (answer === undo) for (const { id } of records) await runs.restore(id);
  });
}
