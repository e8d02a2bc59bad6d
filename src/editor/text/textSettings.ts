/* Reads settings that are also needed in a browser, where `settings.ts` cannot run. */
import * as vscode from 'vscode';

export function codeLensesEnabled(): boolean {
  return vscode.workspace.getConfiguration('captious').get('codeLens', true);
}

export function hintsWanted(): boolean {
  return vscode.workspace.getConfiguration('captious').get('inlayHints', true);
}
