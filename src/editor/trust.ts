import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';

/** Called before anything that loads a model, decodes a photo or asks an endpoint. */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new CaptiousError(
    'usage',
    vscode.l10n.t('Nothing is scored and no photo is opened in a workspace that is not trusted.'),
    { remedy: vscode.l10n.t('Trust it with "Workspaces: Manage Workspace Trust".') },
  );
}
