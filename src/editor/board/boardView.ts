import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import {
  type BoardForm,
  type BoardMemory,
  type BoardSource,
  type BoardTable,
  type BoardTrends,
  type FromBoard,
  fromBoard,
  type ToBoard,
} from '../../protocol/board';
import type { ScatterState } from '../../protocol/scatter';
import type { Reader } from '../../process/readerClient';
import { trouble } from '../messages';
import { cancellable, inert, showError } from '../notify';
import { announceFolder, selectFolder } from '../panel/exporting';
import { hearPage, openPage } from '../panel/page';
import { hasReports } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { exportScatter } from './scatterExport';

export interface BoardViewParts {
  extensionUri: vscode.Uri;
  reader: Reader;
  runs: Runs;
  log: vscode.LogOutputChannel;
}

/**
 * Compares the reports of a folder, of this window's runs, or selected ones: a table of evaluators and probes, robustness
 * against agreement with people, and trends. Follows changes of a folder and of runs.
 */
export class BoardView implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private table: BoardTable | undefined;
  private trends: BoardTrends | undefined;
  private scatter: ScatterState | undefined;
  private isReading = false;
  private isOutdated = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: BoardViewParts,
    private memory: BoardMemory,
  ) {
    const { extensionUri } = parts;
    const icon = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    panel.iconPath = { light: icon('panel-light.svg'), dark: icon('panel-dark.svg') };
    panel.title = inert(vscode.l10n.t('Board: {0}', this.name));
    this.disposables.push(
      this.watch(() => void this.refresh()),
      hearPage(panel.webview, parts.log, (value) => this.handle(fromBoard(value, ''))),
      openPage(panel.webview, {
        ...{ extensionUri, name: 'board-view', root: 'board', memory, images: 'blob:' },
      }),
    );
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private get name(): string {
    const { folder, reports } = this.memory;
    if (reports !== undefined) return vscode.l10n.t('selected reports');
    return folder === undefined ? vscode.l10n.t('runs of this window') : basename(folder);
  }

  private watch(refresh: () => void): vscode.Disposable {
    const { folder, reports } = this.memory;
    if (reports !== undefined) return vscode.Disposable.from();
    if (folder === undefined)
      return this.parts.runs.onDidChange((record) => {
        if (record === undefined || hasReports(record)) refresh();
      });
    const inFolder = new vscode.RelativePattern(vscode.Uri.file(folder), '*.report.json');
    const watcher = vscode.workspace.createFileSystemWatcher(inFolder);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(refresh),
      watcher.onDidChange(refresh),
      watcher.onDidDelete(refresh),
    );
  }

  private async source(): Promise<BoardSource> {
    const { folder, reports } = this.memory;
    if (reports !== undefined) return { type: 'chosen', paths: reports };
    if (folder !== undefined) return { type: 'folder', folder };
    const { runs } = this.parts;
    await runs.load();
    const ended = runs.all.filter(hasReports);
    return {
      type: 'runs',
      reports: ended.flatMap((record) =>
        runs.reportPaths(record).map((path) => ({ path, at: record.createdAt })),
      ),
    };
  }

  private handle(message: FromBoard): Promise<void> | void {
    switch (message.type) {
      case 'ready':
        return this.refresh();
      case 'sort':
        this.memory = { ...this.memory, sorting: message.sorting };
        return;
      case 'chooseMetrics':
        this.memory = { ...this.memory, metrics: message.metrics };
        return this.readTrends();
      case 'open': {
        const cell = this.table?.rows.at(message.row)?.cells.at(message.column);
        return cell?.type === 'value' ? this.openReport(cell.report) : undefined;
      }
      case 'openStep': {
        const step = this.trends?.trends.at(message.trend)?.steps.at(message.step);
        return step === undefined ? undefined : this.openReport(step.report);
      }
      case 'chooseAxis': {
        const chosen = this.scatter?.chosen;
        if (chosen === undefined) return;
        this.memory = { ...this.memory, axes: { ...chosen, [message.side]: message.key } };
        return this.readScatter();
      }
      case 'openPoint': {
        const point = this.scatter?.points.at(message.point);
        return point === undefined ? undefined : this.openReport(point.reports[message.side]);
      }
      case 'exportScatter':
        return this.exportScatter();
      case 'export':
        return this.export(message.form);
      case 'defect':
        this.parts.log.error(`In the board: ${message.message}`);
        return;
    }
  }

  /** Reads the table. Reads it again if report files changed in the meantime. */
  private async refresh(): Promise<void> {
    this.isOutdated = true;
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (this.isOutdated) {
        this.isOutdated = false;
        await this.read();
      }
    } finally {
      this.isReading = false;
    }
  }

  private async read(): Promise<void> {
    let message: ToBoard;
    try {
      this.table = await this.parts.reader.ask('board', { from: await this.source() });
      message = { type: 'show', folder: this.name, table: this.table, memory: this.memory };
    } catch (error) {
      this.table = undefined;
      message = { type: 'problem', folder: this.name, problem: trouble(error), memory: this.memory };
    }
    void this.panel.webview.postMessage(message);
    if (message.type !== 'show') return;
    await this.readScatter();
    await this.readTrends();
  }

  private async readScatter(): Promise<void> {
    const { axes } = this.memory;
    await this.orSay(async () => {
      const { state } = await this.parts.reader.ask('scatter', { from: await this.source(), axes });
      // The user has chosen another axis in the meantime.
      if (axes !== this.memory.axes) return;
      this.scatter = state;
      const message: ToBoard = { type: 'scatter', state, memory: this.memory };
      void this.panel.webview.postMessage(message);
    });
  }

  private async readTrends(): Promise<void> {
    const { metrics } = this.memory;
    await this.orSay(async () => {
      const trends = await this.parts.reader.ask('trends', { from: await this.source(), metrics });
      // The user has chosen another metric in the meantime.
      if (metrics !== this.memory.metrics) return;
      this.trends = trends;
      const message: ToBoard = { type: 'trends', trends };
      void this.panel.webview.postMessage(message);
    });
  }

  private async orSay(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.log.error(messageOf(error));
      void showError(trouble(error));
    }
  }

  private async exportScatter(): Promise<void> {
    if (this.scatter === undefined || this.scatter.points.length === 0) return;
    const [axes, from] = [this.scatter.chosen, await this.source()];
    const { folder, reports } = this.memory;
    await exportScatter(this.scatter, folder ?? reports?.map(dirname).at(0), (form) =>
      this.parts.reader.ask('scatterFile', { from, axes, form }),
    );
  }

  private async export(form: BoardForm): Promise<void> {
    const out = await selectFolder();
    if (out === undefined) return;
    const asked = { from: await this.source(), out: out.fsPath, form };
    const { files } = await cancellable(vscode.l10n.t('Writing the board…'), (signal) =>
      this.parts.reader.ask('writeBoard', asked, { signal }),
    );
    announceFolder(out, files);
  }

  /** Opens the panel of a run, or of a report file. */
  private async openReport(path: string): Promise<void> {
    const { runs } = this.parts;
    const run = runs.all.find((record) => runs.reportPaths(record).includes(path));
    if (this.memory.folder === undefined && run !== undefined) {
      const probe = run.probes.find((id) => basename(path).startsWith(`${id}.`));
      await vscode.commands.executeCommand(
        'captious.openPanel',
        ...[run.id, undefined, undefined, undefined, probe],
      );
    } else await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(path));
  }
}
