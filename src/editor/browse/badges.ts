import * as vscode from 'vscode';
import type { Datasets } from '../datasets';
import { localized } from '../messages';
import { binaryDataset } from '../panel/reveal';
import type { AllMarks } from '../text/allMarks';
import type { RunMarks } from '../text/runMarks';

/** Marks datasets without lines, and folders with results, in the Explorer: an editor shows no lens above them. */
export class DatasetBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly datasets: Datasets,
    private readonly results: AllMarks,
    private readonly runs: RunMarks,
  ) {
    const renew = () => this.changed.fire(undefined);
    this.subscriptions = vscode.Disposable.from(
      ...[this.changed, datasets.onDidChange(renew), results.onDidChange(renew)],
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const isFile = this.datasets.has(uri.fsPath);
    if (isFile && !binaryDataset.test(uri.path)) return undefined;
    // Which folders are datasets, only their runs tell.
    const verdicts = (isFile ? this.results : this.runs).latest(uri).map(({ words }) => words);
    if (!isFile && verdicts.length === 0) return undefined;
    const readsAs = this.datasets.readsAs(uri.fsPath);
    return {
      badge: verdicts.length > 0 ? '◆' : '◇',
      tooltip: [...(readsAs === undefined ? [] : [`Captious: ${localized(readsAs)}`]), ...verdicts].join(
        '\n',
      ),
    };
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
