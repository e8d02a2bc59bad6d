import * as vscode from 'vscode';
import type { ReportScope } from '../rows/imageBase';
import * as settings from './settings';

/** Where the runs of this workspace are kept. */
export function runsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'runs').fsPath;
}

/** The folders that reports and sessions may be believed about. */
export function scopeOf(context: vscode.ExtensionContext): { [K in keyof ReportScope]: string[] } {
  const workspace = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return {
    own: [settings.home(), runsFolder(context)],
    workspace: workspace.map(({ uri }) => uri.fsPath),
  };
}
