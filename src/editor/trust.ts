import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';

/**
 * Throws unless the workspace is trusted. Called before loading a model, decoding an image or contacting an
 * endpoint.
 */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new CaptiousError(
    'usage',
    vscode.l10n.t('In Restricted Mode, Captious does not score captions or open images.'),
    { remedy: vscode.l10n.t('Trust the workspace with "Workspaces: Manage Workspace Trust".') },
  );
}
