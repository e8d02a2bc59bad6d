import * as vscode from 'vscode';
import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import type { Datasets } from '../datasets';
import { trouble } from '../messages';
import { datasetEditorType } from '../panel/reveal';
import { registerCommand } from '../registerCommand';
import type { DatasetPageParts } from './datasetPage';

/** Opens lists of datasets' examples: a click opens files without lines, and a command any file or folder. */
export class DatasetEditors implements vscode.CustomReadonlyEditorProvider {
  private constructor(private readonly parts: DatasetPageParts) {}

  static register(parts: DatasetPageParts, datasets: Datasets): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerCustomEditorProvider(datasetEditorType, new DatasetEditors(parts), {
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
    panel.onDidDispose(() => {
      page.dispose();
    });
  }
}
