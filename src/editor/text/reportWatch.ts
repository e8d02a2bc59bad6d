import * as vscode from 'vscode';

export const reportFiles = '**/*.report.json';

/** Calls `onChange` when a report file in the open folders appears, changes or is deleted. */
export function watchReports(onChange: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(reportFiles);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(onChange),
    watcher.onDidChange(onChange),
    watcher.onDidDelete(onChange),
  );
}
