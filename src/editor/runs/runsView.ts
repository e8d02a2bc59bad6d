import { basename } from 'node:path';
import { distinctNames } from '../../base/text/distinctPaths';
import * as vscode from 'vscode';
import { ago, fullDate, shortDate } from '../dates';
import {
  arranged,
  type Arrangement,
  arrangement,
  dateOf,
  evaluatorNames,
  hasVariants,
  isRepeated,
  type RunRecord,
  titleOf,
  usualArrangement,
} from './runRecord';
import type { Runs } from './runs';
import { mergedReportItem, submissionItem } from './submissionItem';
import type { Submission, Submissions } from './submissions';
import { inert, inertLines, markdown, pick, treeItem } from '../notify';

export const runsViewId = 'captious.runs';

export type RunNode =
  | { kind: 'dataset'; path: string }
  | { kind: 'probe'; probe: string }
  /** `probe` is the group of the run, if runs are grouped by probe. */
  | { kind: 'run'; record: RunRecord; probe?: string }
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
    private readonly memory?: Pick<vscode.Memento, 'get' | 'update'>,
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
      case undefined:
        return [...this.groups(), ...submissions(undefined)];
      case 'dataset':
        return [
          ...submissions(node.path),
          ...this.runsIn(node.path).map((record): RunNode => ({ kind: 'run', record })),
        ];
      case 'probe':
        return this.runsIn(node.probe).map((record): RunNode => ({ kind: 'run', record, probe: node.probe }));
      case 'submission':
        return (node.submission.run?.reports ?? []).map((path) => ({ kind: 'report', path }));
      case 'run':
      case 'report':
        return [];
    }
  }

  private get arrangement(): Arrangement {
    try {
      return arrangement(this.memory?.get(arrangementKey) ?? usualArrangement, '');
    } catch {
      // Another version of Captious wrote it.
      return usualArrangement;
    }
  }

  /** Lets the user choose how runs are grouped and sorted. */
  async arrange(): Promise<void> {
    const now = this.arrangement;
    const choices: { label: string; change: Partial<Arrangement> }[] = [
      { label: vscode.l10n.t('Group by dataset'), change: { group: 'dataset' } },
      { label: vscode.l10n.t('Group by probe'), change: { group: 'probe' } },
      { label: vscode.l10n.t('Sort: newest first'), change: { sort: 'newest' } },
      { label: vscode.l10n.t('Sort: by name'), change: { sort: 'name' } },
    ];
    const isNow = ({ group = now.group, sort = now.sort }: Partial<Arrangement>) =>
      group === now.group && sort === now.sort;
    const chosen = await pick(
      choices.map((each) => ({
        ...each,
        iconPath: new vscode.ThemeIcon(isNow(each.change) ? 'check' : 'blank'),
      })),
      { title: vscode.l10n.t('Arrange runs') },
    );
    if (chosen === undefined) return;
    await this.memory?.update(arrangementKey, { ...now, ...chosen.change });
    this.changed.fire(undefined);
  }

  private groups(): RunNode[] {
    if (this.arrangement.group === 'probe')
      return this.arranged().map(({ key }): RunNode => ({ kind: 'probe', probe: key }));
    const own = this.arranged().map(({ key }) => key);
    return [...new Set([...own, ...this.datasets()])].map((path): RunNode => ({ kind: 'dataset', path }));
  }

  private runsIn(key: string): RunRecord[] {
    return this.arranged().find((group) => group.key === key)?.records ?? [];
  }

  private arranged(): { key: string; records: RunRecord[] }[] {
    const { group } = this.arrangement;
    const nameOf = group === 'probe' ? probeName : distinctNames(this.datasets());
    return arranged(this.runs.all, this.arrangement, { group: nameOf, run: labelOf });
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
      case 'probe':
        return probeItem(node.probe);
      case 'run':
        return this.runItem(node.record, node.probe);
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

  private runItem(record: RunRecord, probe?: string): vscode.TreeItem {
    const dataset = distinctNames(this.datasets())(record.dataset);
    const item = treeItem(probe === undefined ? labelOf(record) : `${dataset} · ${evaluatorNames([record])}`);
    item.id = probe === undefined ? record.id : `${probe} ${record.id}`;
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
      arguments: probe === undefined ? [record.id] : [record.id, undefined, undefined, undefined, probe],
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

const arrangementKey = 'captious.runsArrangement';

function probeName(probe: string): string {
  return titleOf({ titles: [] }, probe);
}

function probeItem(probe: string): vscode.TreeItem {
  const item = treeItem(probeName(probe), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `probe ${probe}`;
  item.iconPath = new vscode.ThemeIcon('beaker');
  return item;
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
