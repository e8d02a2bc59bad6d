import * as vscode from 'vscode';

/** The active editor's file, also if the Output panel has the focus, which VS Code reports as an editor without a column. */
export function activeFile(): vscode.Uri | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.viewColumn !== undefined) return editor.document.uri;
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return tab instanceof vscode.TabInputCustom || tab instanceof vscode.TabInputText ? tab.uri : undefined;
}

/** The document that a menu names, or else the active editor's. */
export async function documentOf(target: unknown): Promise<vscode.TextDocument | undefined> {
  if (target instanceof vscode.Uri) return vscode.workspace.openTextDocument(target);
  const active = activeFile()?.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === active);
}
