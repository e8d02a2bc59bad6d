import { basename } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, usageError } from '../../base/errors';
import { type BoardMemory, boardMemory } from '../../protocol/board';
import { pick } from '../notify';
import { ofRuns, ofSelected, type Opener, viewTypes } from '../onDemand';
import { reportFiles } from '../text/reportWatch';
import { BoardView, type BoardViewParts } from './boardView';
import { noneInSelection, selectedReports } from './selectedReports';
import { selectFolder } from '../panel/exporting';

/** The most report files that `chooseFolder` searches for. */
const mostReports = 10_000;

/** Opens boards: one per folder or selection of reports, and one of this window's runs. */
export class Boards implements Opener {
  private readonly views = new Map<string, BoardView>();

  constructor(private readonly parts: BoardViewParts) {}

  async open(target: unknown, ...selected: unknown[]): Promise<void> {
    if (target === ofRuns) {
      this.show({});
      return;
    }
    if (target === ofSelected) {
      await this.showSelected(await selectedReports(this.parts.runs, selected[0], selected[1]));
      return;
    }
    const folder = target instanceof vscode.Uri ? target : await chooseFolder();
    if (folder !== undefined) this.show({ folder: onDisk(folder) });
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      this.adopt(panel, boardMemory(state, ''));
    } catch (error) {
      this.parts.log.warn(`A board could not be restored: ${messageOf(error)}`);
      panel.dispose();
    }
    return Promise.resolve();
  }

  /** Reads the reports before it opens a tab. Reports that cannot be compared must not leave an empty tab. */
  private async showSelected(reports: string[] | undefined): Promise<void> {
    if (reports === undefined) return;
    const from = { type: 'chosen', paths: reports } as const;
    const { state } = await this.parts.reader.ask('scatter', { from });
    if (state === undefined) throw noneInSelection();
    this.show({ reports });
  }

  private show(memory: BoardMemory): void {
    const shown = this.views.get(keyOf(memory));
    if (shown !== undefined) {
      shown.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(viewTypes.board, 'Captious', vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    this.adopt(panel, memory);
  }

  private adopt(panel: vscode.WebviewPanel, memory: BoardMemory): void {
    const view = new BoardView(panel, this.parts, memory);
    const key = keyOf(memory);
    this.views.set(key, view);
    panel.onDidDispose(() => {
      if (this.views.get(key) === view) this.views.delete(key);
      view.dispose();
    });
  }
}

function keyOf({ folder, reports }: BoardMemory): string {
  return JSON.stringify([folder, reports]);
}

function onDisk(folder: vscode.Uri): string {
  if (folder.scheme === 'file') return folder.fsPath;
  throw usageError(
    vscode.l10n.t('The board needs a folder on disk.'),
    vscode.l10n.t('Copy the reports and their rows files to a folder on this computer.'),
  );
}

/** Lets the user choose a folder of the workspace that contains reports, or any other folder. */
async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const reports = await vscode.workspace.findFiles(reportFiles, undefined, mostReports);
  const folders = new Map<string, { uri: vscode.Uri; count: number }>();
  for (const report of reports) {
    const uri = vscode.Uri.joinPath(report, '..');
    const known = folders.get(uri.path);
    folders.set(uri.path, { uri, count: (known?.count ?? 0) + 1 });
  }
  const items = [...folders.values()]
    .sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1))
    .map(({ uri, count }) => ({
      ...{ label: vscode.workspace.asRelativePath(uri) || basename(uri.path), uri },
      description: vscode.l10n.t('reports: {0}', count),
    }));
  const other = { label: vscode.l10n.t('Select another folder…'), description: '', uri: undefined };
  const chosen =
    items.length === 0
      ? other
      : await pick([...items, other], { title: vscode.l10n.t('Select a folder of reports') });
  if (chosen === undefined || chosen.uri !== undefined) return chosen?.uri;
  return selectFolder({ openLabel: vscode.l10n.t('Show board') });
}
