import * as vscode from 'vscode';
import type { Datasets } from '../datasets';
import { localized } from '../messages';
import { binaryDataset } from '../panel/reveal';
import type { AllMarks } from '../text/allMarks';

/** Marks datasets without lines in the Explorer, because no lens can stand above them: full if they have results. */
export class DatasetBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly datasets: Datasets,
    private readonly results: AllMarks,
  ) {
    const renew = () => this.changed.fire(undefined);
    this.subscriptions = vscode.Disposable.from(
      ...[this.changed, datasets.onDidChange(renew), results.onDidChange(renew)],
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (!binaryDataset.test(uri.path) || !this.datasets.has(uri.fsPath)) return undefined;
    const verdicts = this.results.latest(uri).map(({ words }) => words);
    const readsAs = localized(this.datasets.readsAs(uri.fsPath) ?? '');
    return {
      badge: verdicts.length > 0 ? '◆' : '◇',
      tooltip: [`Captious: ${readsAs}`, ...verdicts].join('\n'),
    };
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
