import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { viewFor } from '../../probe/views';
import type { SubmittedRun } from '../../protocol/service';
import { ago, fullDate } from '../dates';
import { inert, inertLines, markdown, treeItem } from '../notify';
import { evaluatorNames } from './runRecord';
import type { Submission } from './submissions';

/** A cluster run as a tree item. A click opens its report. Several reports become the children of the item. */
export function submissionItem({ path, run, problem }: Submission): vscode.TreeItem {
  const label = run === undefined ? basename(dirname(path)) : `${titlesOf(run)} · ${evaluatorNames([run])}`;
  const item = treeItem(label);
  item.id = `submission ${path}`;
  item.contextValue = run?.isMerged ? 'captious.submission.merged' : 'captious.submission';
  const description = run === undefined ? vscode.l10n.t('failed') : describe(run);
  item.description = inert(description);
  item.accessibilityInformation = { label: `${label}, ${description}` };
  const details = run === undefined ? [problem ?? '', path] : detailsOf(run, dirname(path));
  item.tooltip = tooltipOf([label, description, ...details]);
  item.iconPath =
    run === undefined
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'))
      : run.isMerged
        ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
        : new vscode.ThemeIcon('server-process');
  const reports = run?.reports ?? [];
  if (reports.length > 1) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  if (reports.length === 1) item.command = opening(reports[0]);
  return item;
}

export function mergedReportItem(path: string): vscode.TreeItem {
  const item = treeItem(basename(path, '.report.json'));
  item.id = `report ${path}`;
  item.iconPath = new vscode.ThemeIcon('graph');
  item.tooltip = inert(path);
  item.command = opening(path);
  return item;
}

function tooltipOf(lines: readonly string[]): vscode.MarkdownString {
  const text = markdown();
  text.appendText(inertLines(lines.join('\n\n')));
  return text;
}

function opening(report: string): vscode.Command {
  return {
    command: 'captious.openReport',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.file(report)],
  };
}

function titlesOf({ probes }: SubmittedRun): string {
  return probes.map((id) => viewFor(id).title).join(', ');
}

function describe({ done, shards, isMerged, changedAt }: SubmittedRun): string {
  if (isMerged) return `${vscode.l10n.t('merged')}  ${ago(changedAt)}`;
  const progress = vscode.l10n.t('{0} of {1} shards', done, shards);
  return `${progress}  ${done === shards ? vscode.l10n.t('not merged yet') : ago(changedAt)}`;
}

function detailsOf(run: SubmittedRun, folder: string): string[] {
  const { dataset, jobs, submittedAt, isMerged, done, shards } = run;
  const submitted = fullDate(new Date(submittedAt));
  return [
    dataset,
    vscode.l10n.t('Slurm jobs: {0}. Submitted: {1}.', jobs.join(', '), submitted),
    ...(isMerged || done === shards
      ? []
      : [
          vscode.l10n.t(
            'The time next to the number of shards says when a shard was last completed. If no shard has been completed, it says when the run was submitted. Captious does not ask the scheduler whether the jobs are running.',
          ),
          vscode.l10n.t('If no shard completes, read the logs in {0}.', join(folder, 'logs')),
        ]),
  ];
}
