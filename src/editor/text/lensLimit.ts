import * as vscode from 'vscode';

/** In the editor's units: characters, and lines. */
const longest = 20 * 1024 * 1024;
const mostLines = 300_000;

/** As the editor does, once for each document: when it opens one. */
const decided = new WeakMap<vscode.TextDocument, boolean>();

/** In texts that the editor takes for large it shows no lenses, whoever has some, unless a setting says otherwise. */
export function isBeyondLenses(document: vscode.TextDocument): boolean {
  let beyond = decided.get(document);
  if (beyond === undefined) {
    const end = document.lineAt(document.lineCount - 1).range.end;
    beyond =
      vscode.workspace.getConfiguration('editor', document).get('largeFileOptimizations', true) &&
      (document.lineCount > mostLines || document.offsetAt(end) > longest);
    decided.set(document, beyond);
  }
  return beyond;
}
