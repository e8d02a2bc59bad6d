import * as vscode from 'vscode';

/** Opens a dataset file and scrolls the line to the middle. */
export async function revealLine(file: vscode.Uri, line: number | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (line === undefined) return;
  const at = document.lineAt(Math.min(line, document.lineCount) - 1).range;
  editor.selection = new vscode.Selection(at.start, at.start);
  editor.revealRange(at, vscode.TextEditorRevealType.InCenter);
}
