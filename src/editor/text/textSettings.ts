import * as vscode from 'vscode';

/**
 * Settings of the text features. They are not in `settings.ts`, because that file uses paths of this machine
 * and does not run in a browser.
 */
export function codeLensesEnabled(): boolean {
  return vscode.workspace.getConfiguration('captious').get('codeLens', true);
}

export function hintsWanted(): boolean {
  return vscode.workspace.getConfiguration('captious').get('inlayHints', true);
}
