import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import { answerTo, type Mark } from '../../protocol/rows';
import type { Report } from '../../report/report';
import { verdictOf } from './figure';
import type { Known, MarkSource } from './marks';
import { lastPart } from '../panel/reportSource';
import { localized } from '../messages';
import type { WebReports } from '../panel/webReports';

const pattern = '**/*.report.json';
const mostReports = 200;

interface Found {
  uri: vscode.Uri;
  report: Report;
  mtime: number;
}

/** Marks from the report files of the open folders, matched with datasets by file name. */
export class WebMarks implements MarkSource, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private found: Found[] = [];
  private loading: Promise<void> | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly reports: WebReports,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const again = () => {
      this.loading = undefined;
      this.changed.fire(undefined);
    };
    this.subscriptions = [
      this.changed,
      watcher,
      watcher.onDidCreate(again),
      watcher.onDidChange(again),
      watcher.onDidDelete(again),
    ];
  }

  load(): Promise<void> {
    this.loading ??= this.find();
    return this.loading;
  }

  latest(uri: vscode.Uri): Known | undefined {
    const own = this.found.find(({ report }) => lastPart(report.dataset.path) === lastPart(uri.path));
    if (own === undefined) return undefined;
    const verdict = verdictOf([own.report]);
    const who = `${own.report.probe.toUpperCase()} · ${own.report.evaluator.name}`;
    return {
      id: own.uri.toString(),
      words: verdict === undefined ? who : `${own.report.probe.toUpperCase()}: ${localized(verdict)}`,
      again: undefined,
    };
  }

  async marks({ id }: Known, from: number, to: number): Promise<Mark[]> {
    const ask = { type: 'marks', report: id, from, to } as const;
    return answerTo(ask, await this.reports.answer(vscode.Uri.parse(id, true), ask)).marks;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async find(): Promise<void> {
    const found: Found[] = [];
    for (const uri of await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostReports)) {
      try {
        const { mtime } = await vscode.workspace.fs.stat(uri);
        found.push({ uri, report: await this.reports.read(uri), mtime });
      } catch (error) {
        this.log.warn(messageOf(error));
      }
    }
    this.found = found.sort((a, b) => b.mtime - a.mtime);
    this.changed.fire(undefined);
  }
}
