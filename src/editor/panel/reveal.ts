import * as vscode from 'vscode';

export const datasetEditorType = 'captious.dataset';
/** Opens a list of examples at one of them. */
export const openExampleCommand = 'captious.openExample';
/** Files of datasets that have no lines. */
export const binaryDataset = /\.(parquet|arrow|feather|tar)$/i;

interface Place {
  column?: number;
  /** Whether the focus stays where it is. If true, an editor that already shows the file is used. */
  keepFocus?: boolean;
  /** The id of the example, for a list of examples. */
  example?: string;
}

/**
 * Opens a dataset file. If a line is given, sets the cursor there and scrolls the line to the middle. A folder or a
 * file without lines opens as a list of examples, at the given example.
 */
export async function revealLine(
  file: vscode.Uri,
  line: number | undefined,
  { column = 1, keepFocus = false, example }: Place = {},
): Promise<void> {
  if (!(await hasLines(file))) {
    if (example !== undefined) await vscode.commands.executeCommand(openExampleCommand, file, example);
    else await vscode.commands.executeCommand('vscode.openWith', file, datasetEditorType);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  const shown = keepFocus
    ? vscode.window.visibleTextEditors.find((editor) => editor.document === document)
    : undefined;
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    preserveFocus: keepFocus,
    viewColumn: shown?.viewColumn,
  });
  if (line === undefined) return;
  const at = document.lineAt(Math.min(line, document.lineCount) - 1).range;
  const cursor = at.start.translate(0, Math.min(column, at.end.character + 1) - 1);
  editor.selection = new vscode.Selection(cursor, cursor);
  editor.revealRange(at, vscode.TextEditorRevealType.InCenter);
}

/** A pattern of files names no file. */
async function hasLines(file: vscode.Uri): Promise<boolean> {
  if (binaryDataset.test(file.path)) return false;
  try {
    const { type } = await vscode.workspace.fs.stat(file);
    return (type & vscode.FileType.Directory) === 0;
  } catch {
    return !/[*?[{]/.test(file.path);
  }
}
