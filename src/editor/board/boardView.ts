import { basename } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import {
  type BoardForm,
  type BoardMemory,
  type BoardTable,
  type BoardTrends,
  type FromBoard,
  fromBoard,
  type ToBoard,
} from '../../protocol/board';
import type { Reader } from '../../process/readerClient';
import { trouble } from '../messages';
import { cancellable, inert, showError } from '../notify';
import { announceFolder, selectFolder } from '../panel/exporting';
import { hearPage, openPage } from '../panel/page';

export interface BoardViewParts {
  extensionUri: vscode.Uri;
  reader: Reader;
  log: vscode.LogOutputChannel;
}

/** Shows the reports of a folder as a table of evaluators and probes. Updates the table when files change. */
export class BoardView implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private table: BoardTable | undefined;
  private trends: BoardTrends | undefined;
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
    const reports = new vscode.RelativePattern(vscode.Uri.file(memory.folder), '*.report.json');
    const watcher = vscode.workspace.createFileSystemWatcher(reports);
    const refresh = () => void this.refresh();
    this.disposables.push(
      watcher,
      watcher.onDidCreate(refresh),
      watcher.onDidChange(refresh),
      watcher.onDidDelete(refresh),
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
    return basename(this.memory.folder);
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
        return cell?.type === 'value' ? openReport(cell.report) : undefined;
      }
      case 'openStep': {
        const step = this.trends?.trends.at(message.trend)?.steps.at(message.step);
        return step === undefined ? undefined : openReport(step.report);
      }
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
    const { folder } = this.memory;
    let message: ToBoard;
    try {
      this.table = await this.parts.reader.ask('board', { folder });
      message = { type: 'show', folder: this.name, table: this.table, memory: this.memory };
    } catch (error) {
      this.table = undefined;
      message = { type: 'problem', folder: this.name, problem: trouble(error), memory: this.memory };
    }
    void this.panel.webview.postMessage(message);
    if (message.type === 'show') await this.readTrends();
  }

  private async readTrends(): Promise<void> {
    const { folder, metrics } = this.memory;
    try {
      const trends = await this.parts.reader.ask('trends', { folder, metrics });
      // The user has chosen another metric in the meantime.
      if (metrics !== this.memory.metrics) return;
      this.trends = trends;
      const message: ToBoard = { type: 'trends', trends };
      void this.panel.webview.postMessage(message);
    } catch (error) {
      this.parts.log.error(messageOf(error));
      void showError(trouble(error));
    }
  }

  private async export(form: BoardForm): Promise<void> {
    const out = await selectFolder();
    if (out === undefined) return;
    const asked = { folder: this.memory.folder, out: out.fsPath, form };
    const { files } = await cancellable(vscode.l10n.t('Writing the board…'), (signal) =>
      this.parts.reader.ask('writeBoard', asked, { signal }),
    );
    announceFolder(out, files);
  }
}

async function openReport(path: string): Promise<void> {
  await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(path));
}
