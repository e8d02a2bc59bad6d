import { basename } from 'node:path';
import { distinctNames } from '../../base/text/distinctPaths';
import * as vscode from 'vscode';
import { ago, fullDate, shortDate } from '../dates';
import { dateOf, evaluatorNames, hasVariants, isRepeated, type RunRecord, titleOf } from './runRecord';
import type { Runs } from './runs';
import { mergedReportItem, submissionItem } from './submissionItem';
import type { Submission, Submissions } from './submissions';
import { inert, inertLines, markdown, treeItem } from '../notify';

export const runsViewId = 'captious.runs';

export type RunNode =
  | { kind: 'dataset'; path: string }
  | { kind: 'run'; record: RunRecord }
  | { kind: 'submission'; submission: Submission }
  | { kind: 'report'; path: string };

/** The parts of `Runs` that the view uses. */
export type Shown = Pick<Runs, 'all' | 'load' | 'progressOf' | 'aheadOf' | 'onDidChange' | 'onDidProgress'>;

/** The tree of datasets and their runs, newest first. A file that the user drops on the tree is audited. */
export class RunsView
  implements vscode.TreeDataProvider<RunNode>, vscode.TreeDragAndDropController<RunNode>, vscode.Disposable
{
  readonly dropMimeTypes = ['text/uri-list'];
  readonly dragMimeTypes: string[] = [];
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly runs: Shown,
    private readonly submissions: Pick<Submissions, 'all' | 'onDidChange'>,
    private readonly onDrop: (uri: vscode.Uri) => void,
  ) {
    let redraw: NodeJS.Timeout | undefined;
    const soon = () => {
      redraw ??= setTimeout(() => {
        redraw = undefined;
        this.changed.fire(undefined);
      }, 250);
    };
    this.subscriptions = [
      runs.onDidChange(() => this.changed.fire(undefined)),
      runs.onDidProgress(soon),
      submissions.onDidChange(() => this.changed.fire(undefined)),
      new vscode.Disposable(() => clearTimeout(redraw)),
    ];
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    await this.runs.load();
    const submissions = (path: string | undefined): RunNode[] =>
      this.submissions.all
        .filter(({ run }) => run?.dataset === path)
        .map((submission) => ({ kind: 'submission', submission }));
    switch (node?.kind) {
      case undefined: {
        const datasets = [...this.datasets()].map((path): RunNode => ({ kind: 'dataset', path }));
        return [...datasets, ...submissions(undefined)];
      }
      case 'dataset':
        return [
          ...submissions(node.path),
          ...this.runs.all
            .filter(({ dataset }) => dataset === node.path)
            .map((record): RunNode => ({ kind: 'run', record })),
        ];
      case 'submission':
        return (node.submission.run?.reports ?? []).map((path) => ({ kind: 'report', path }));
      case 'run':
      case 'report':
        return [];
    }
  }

  private datasets(): Set<string> {
    const submitted = this.submissions.all.flatMap(({ run }) => (run === undefined ? [] : [run]));
    return new Set([...this.runs.all, ...submitted].map(({ dataset }) => dataset));
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    switch (node.kind) {
      case 'dataset': {
        const item = datasetItem(node.path, distinctNames(this.datasets())(node.path));
        if (this.runs.all.some(({ dataset }) => dataset === node.path)) offerAudit(item, node.path);
        return item;
      }
      case 'run':
        return this.runItem(node.record);
      case 'submission':
        return submissionItem(node.submission);
      case 'report':
        return mergedReportItem(node.path);
    }
  }

  handleDrop(_target: RunNode | undefined, data: vscode.DataTransfer): Promise<void> {
    return (async () => {
      const text = await data.get('text/uri-list')?.asString();
      for (const line of text?.split('\r\n') ?? []) if (line !== '') this.onDrop(vscode.Uri.parse(line));
    })();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  private runItem(record: RunRecord): vscode.TreeItem {
    const item = treeItem(labelOf(record));
    item.id = record.id;
    const isChecked = record.state === 'done' && hasVariants(record);
    item.contextValue = `captious.run.${record.state}${isChecked ? '.variants' : ''}`;
    // A check mark would suggest results that this run does not have.
    item.iconPath =
      record.measured === false
        ? new vscode.ThemeIcon('circle-slash')
        : new vscode.ThemeIcon(icons[record.state], colours[record.state]);
    item.description = inert(this.describe(record));
    item.tooltip = tooltipOf(record, item.description);
    item.accessibilityInformation = { label: `${labelOf(record)}, ${item.description}` };
    item.command = {
      command: 'captious.openPanel',
      title: vscode.l10n.t('Open'),
      arguments: [record.id],
    };
    return item;
  }

  private describe(record: RunRecord): string {
    switch (record.state) {
      case 'queued':
        return waitingText(record, this.runs);
      case 'running': {
        const fraction = this.runs.progressOf(record)?.fraction;
        return fraction === undefined
          ? vscode.l10n.t('running')
          : vscode.l10n.t('running {0} %', Math.floor(fraction * 100));
      }
      case 'done': {
        const when = isRepeated(record, this.runs.all) ? shortDate(dateOf(record)) : ago(+dateOf(record));
        const what = record.measured === false ? vscode.l10n.t('no results') : record.figure;
        return [what, when].filter(Boolean).join('  ');
      }
      case 'interrupted':
        return vscode.l10n.t('interrupted');
      case 'failed':
        return vscode.l10n.t('failed');
    }
  }
}

const icons: Record<RunRecord['state'], string> = {
  queued: 'clock',
  running: 'sync~spin',
  done: 'pass',
  interrupted: 'debug-pause',
  failed: 'error',
};

const colours: Record<RunRecord['state'], vscode.ThemeColor | undefined> = {
  queued: undefined,
  running: undefined,
  done: new vscode.ThemeColor('testing.iconPassed'),
  interrupted: new vscode.ThemeColor('charts.yellow'),
  failed: new vscode.ThemeColor('testing.iconFailed'),
};

export function labelOf(record: RunRecord): string {
  // A check of a benchmark has no evaluator.
  return [probesOf(record), evaluatorNames([record])].filter((part) => part !== '').join(' · ');
}

/** What a queued run waits for. */
export function waitingText(record: RunRecord, runs: Pick<Runs, 'aheadOf'>): string {
  const ahead = runs.aheadOf(record);
  if (ahead === undefined) return vscode.l10n.t('waiting');
  if (ahead === 'elsewhere') return vscode.l10n.t('waiting in another window');
  const dataset = ahead.dataset === record.dataset ? [] : [basename(ahead.dataset)];
  return vscode.l10n.t('Waiting for {0} to end', [labelOf(ahead), ...dataset].join(' · '));
}

export function probesOf(record: RunRecord): string {
  return record.probes.map((probe) => titleOf(record, probe)).join(', ');
}

function datasetItem(path: string, name: string): vscode.TreeItem {
  const item = treeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `dataset ${path}`;
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = inert(path);
  return item;
}

/**
 * Adds the action "Audit Dataset…" to a dataset's item. Call it only for datasets of this workspace's runs, because
 * a submission from another person may name any file.
 */
function offerAudit(item: vscode.TreeItem, path: string): void {
  item.resourceUri = vscode.Uri.file(path);
  item.contextValue = 'captious.dataset';
}

function tooltipOf(record: RunRecord, description: string): vscode.MarkdownString {
  const text = markdown();
  text.appendText(inertLines(`${labelOf(record)}\n\n${record.sentence ?? description}\n\n`));
  if (record.names !== undefined) text.appendText(inertLines(`${record.names.join(' ⇄ ')}\n\n`));
  text.appendText(fullDate(dateOf(record)));
  if (record.problem !== undefined) text.appendText(inertLines(`\n\n${record.problem}`));
  return text;
}
