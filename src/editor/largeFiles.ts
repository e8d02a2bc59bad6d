import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Datasets } from './datasets';
import type { Runs } from './runs/runs';
import { showInformation } from './notify';

/** VS Code does not pass documents above this size to extensions. */
const mostBytes = 50 * 1024 * 1024;

/**
 * For a dataset that is too large for results in the editor, offers the panel, or an audit if the dataset has no run.
 * Shows this offer only once for each dataset.
 */
export class LargeFiles implements vscode.Disposable {
  private readonly offered = new Set<string>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly datasets: Datasets,
    private readonly runs: Runs,
  ) {
    this.subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      for (const { isActive, input } of [...opened, ...changed])
        if (isActive && input instanceof vscode.TabInputText) void this.look(input.uri);
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async look(uri: vscode.Uri): Promise<void> {
    const path = uri.fsPath;
    if (uri.scheme !== 'file' || this.offered.has(path)) return;
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= mostBytes || this.offered.has(path) || !(await this.datasets.check(uri))) return;
    this.offered.add(path);
    await this.runs.load();
    const record = this.runs.latest(path);
    const panel = vscode.l10n.t('Open Panel');
    const audit = vscode.l10n.t('Audit');
    const answer = await showInformation(
      vscode.l10n.t(
        'The editor cannot show results in {0}, because the file is too large. The panel can show them.',
        basename(path),
      ),
      record === undefined ? audit : panel,
    );
    if (answer === panel) await vscode.commands.executeCommand('captious.openPanel', record?.id);
    if (answer === audit) await vscode.commands.executeCommand('captious.audit', uri);
  }
}
