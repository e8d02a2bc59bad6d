import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../base/errors';
import { trouble } from './messages';
import { showError } from './notify';

/** Registers a command. Shows its errors to the user, and also logs unexpected errors. */
export function registerCommand(
  id: string,
  log: vscode.LogOutputChannel,
  run: (...targets: unknown[]) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...targets: unknown[]) => {
    try {
      await run(...targets);
    } catch (error) {
      if (!(error instanceof CaptiousError)) log.error(error instanceof Error ? error : messageOf(error));
      void showError(trouble(error));
    }
  });
}
