import * as vscode from 'vscode';

/** What a person wants to see in the text. Apart from the other settings, which know folders of this machine. */
export function codeLensesEnabled(): boolean {
  return vscode.workspace.getConfiguration('captious').get('codeLens', true);
}

export function hintsWanted(): boolean {
  return vscode.workspace.getConfiguration('captious').get('inlayHints', true);
}
