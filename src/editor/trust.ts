import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';

/** Call this before loading a model, decoding an image or contacting an endpoint. */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new CaptiousError(
    'usage',
    vscode.l10n.t('Nothing is scored and no photo is opened in a workspace that is not trusted.'),
    { remedy: vscode.l10n.t('Trust it with "Workspaces: Manage Workspace Trust".') },
  );
}
