import * as vscode from 'vscode';

/** Settings of the text features. `settings.ts` uses local paths and does not run in a browser. */
export function codeLensesEnabled(): boolean {
  return vscode.workspace.getConfiguration('captious').get('codeLens', true);
}

export function hintsWanted(): boolean {
  return vscode.workspace.getConfiguration('captious').get('inlayHints', true);
}
