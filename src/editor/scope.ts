import * as vscode from 'vscode';
import type { ReportScope } from '../service/images/imageBase';
import * as settings from './settings';

export function runsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'runs').fsPath;
}

/** The folders that determine which paths in reports and sessions may be used. */
export function scopeOf(context: vscode.ExtensionContext): { [K in keyof ReportScope]: string[] } {
  const workspace = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return {
    own: [settings.home(), runsFolder(context)],
    workspace: workspace.map(({ uri }) => uri.fsPath),
  };
}
