import { basename } from 'node:path';
import * as vscode from 'vscode';
import { dateOf, evaluatorNames, isRepeated, type RunRecord, titleOf } from './runRecord';
import { fullDate, shortDate } from '../dates';
import type { Runs } from './runs';
import { inert, inertLines, markdown, treeItem } from '../notify';

export const runsViewId = 'captious.runs';

export type RunNode = { kind: 'dataset'; path: string } | { kind: 'run'; record: RunRecord };

/** The part of `Runs` that the view needs. */
export type Shown = Pick<Runs, 'all' | 'load' | 'progressOf' | 'onDidChange' | 'onDidProgress'>;

/** Tree of datasets with their runs, newest first. A dropped file is audited. */
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
      new vscode.Disposable(() => clearTimeout(redraw)),
    ];
  }

  async getChildren(node?: RunNode): Promise<RunNode[]> {
    await this.runs.load();
    if (node === undefined) {
      const paths = new Set(this.runs.all.map(({ dataset }) => dataset));
      return [...paths].map((path) => ({ kind: 'dataset', path }));
    }
    if (node.kind === 'run') return [];
    return this.runs.all
      .filter(({ dataset }) => dataset === node.path)
      .map((record) => ({ kind: 'run', record }));
  }

  getTreeItem(node: RunNode): vscode.TreeItem {
    return node.kind === 'dataset' ? datasetItem(node.path) : this.runItem(node.record);
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
    item.contextValue = `captious.run.${record.state}`;
    // A check mark would suggest that there are results.
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
        return vscode.l10n.t('waiting');
      case 'running': {
        const fraction = this.runs.progressOf(record)?.fraction;
        return fraction === undefined
          ? vscode.l10n.t('running')
          : vscode.l10n.t('running {0} %', Math.floor(fraction * 100));
      }
      case 'done': {
        const when = isRepeated(record, this.runs.all) ? shortDate(dateOf(record)) : ago(+dateOf(record));
        const what = record.measured === false ? vscode.l10n.t('measured nothing') : record.figure;
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
  return `${probesOf(record)} · ${evaluatorNames([record])}`;
}

export function probesOf(record: RunRecord): string {
  return record.probes.map((probe) => titleOf(record, probe)).join(', ');
}

function datasetItem(path: string): vscode.TreeItem {
  const uri = vscode.Uri.file(path);
  const item = treeItem(basename(path), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `dataset ${path}`;
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'captious.dataset';
  item.tooltip = inert(path);
  return item;
}

function tooltipOf(record: RunRecord, description: string): vscode.MarkdownString {
  const text = markdown();
  text.appendText(inertLines(`${labelOf(record)}\n\n${record.sentence ?? description}\n\n`));
  text.appendText(fullDate(dateOf(record)));
  if (record.problem !== undefined) text.appendText(inertLines(`\n\n${record.problem}`));
  return text;
}

function ago(then: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - then) / 60_000));
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  if (minutes < 24 * 60) return vscode.l10n.t('{0} h ago', Math.round(minutes / 60));
  return shortDate(new Date(then));
}
