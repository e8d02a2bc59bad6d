import * as vscode from 'vscode';
import { usageError } from '../base/errors';

/** Throws if the workspace is not trusted. Call this before loading a model, reading an image or using a network. */
export function needTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw usageError(
    vscode.l10n.t('In Restricted Mode, Captious does not score captions or open images.'),
    vscode.l10n.t('Trust the workspace with "Workspaces: Manage Workspace Trust".'),
  );
}
