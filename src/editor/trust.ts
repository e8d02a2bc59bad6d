import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';
import type { ReportScope } from '../rows/imageBase';
import * as settings from './settings';

/** Call this before loading a model, decoding an image or contacting an endpoint. */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new CaptiousError(
    'usage',
    vscode.l10n.t('Nothing is scored and no photo is opened in a workspace that is not trusted.'),
    { remedy: vscode.l10n.t('Trust it with "Workspaces: Manage Workspace Trust".') },
  );
}

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
