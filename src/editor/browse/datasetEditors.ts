import * as vscode from 'vscode';
import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import type { Datasets } from '../datasets';
import { trouble } from '../messages';
import { addTo } from '../../base/lists';
import { datasetEditorType, openExampleCommand } from '../panel/reveal';
import { registerCommand } from '../registerCommand';
import type { DatasetPage, DatasetPageParts } from './datasetPage';

/** Opens lists of datasets' examples: a click opens files without lines, and a command any file or folder. */
export class DatasetEditors implements vscode.CustomReadonlyEditorProvider {
  private readonly pages = new Map<string, DatasetPage[]>();
  /** The examples at which lists are about to open, by path. */
  private readonly wanted = new Map<string, string>();

  private constructor(private readonly parts: DatasetPageParts) {}

  static register(parts: DatasetPageParts, datasets: Datasets): vscode.Disposable {
    const editors = new DatasetEditors(parts);
    return vscode.Disposable.from(
      registerCommand(openExampleCommand, parts.log, (uri, example) =>
        editors.openAt(uri as vscode.Uri, example as string),
      ),
      vscode.window.registerCustomEditorProvider(datasetEditorType, editors, {
        webviewOptions: { retainContextWhenHidden: true },
      }),
      registerCommand('captious.openDataset', parts.log, async (target) => {
        const { chooseDataset, chooseSplit } = await import('../runs/chooseDataset');
        const chosen = await chooseDataset(target, datasets);
        const uri = chosen && (await chooseSplit(chosen));
        if (uri !== undefined)
          await vscode.commands.executeCommand('vscode.openWith', uri, datasetEditorType);
      }),
    );
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    // A version of a file, such as in a comparison, is not on disk.
    if (uri.scheme !== 'file')
      throw new Error(
        trouble(inputError(say('editor.datasetNotOnDisk'), say('editor.copyDatasetToDisk'), uri.path)),
      );
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { DatasetPage } = await import('./datasetPage');
    const page = new DatasetPage(uri, panel.webview, this.parts);
    addTo(this.pages, uri.fsPath, page);
    panel.onDidDispose(() => {
      const others = this.pages.get(uri.fsPath)?.filter((one) => one !== page) ?? [];
      this.pages.set(uri.fsPath, others);
      page.dispose();
    });
    this.passWanted(uri);
  }

  private async openAt(uri: vscode.Uri, example: string): Promise<void> {
    this.wanted.set(uri.fsPath, example);
    await vscode.commands.executeCommand('vscode.openWith', uri, datasetEditorType);
    this.passWanted(uri);
  }

  /** If the list is not open yet, it gets the example when it opens. */
  private passWanted({ fsPath }: vscode.Uri): void {
    const example = this.wanted.get(fsPath);
    const pages = this.pages.get(fsPath) ?? [];
    if (example === undefined || pages.length === 0) return;
    this.wanted.delete(fsPath);
    for (const page of pages) page.openAt(example);
  }
}
