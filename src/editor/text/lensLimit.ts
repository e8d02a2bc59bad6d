import * as vscode from 'vscode';

const longest = 20 * 1024 * 1024;
const mostLines = 300_000;

/** Results of `isBeyondLenses`. They are kept, because VS Code decides only once, when it opens a document. */
const decided = new WeakMap<vscode.TextDocument, boolean>();

/** Whether VS Code treats the document as large and shows no CodeLens. */
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
