import { basename } from 'node:path';
import * as vscode from 'vscode';
import { usageError } from '../base/errors';
import type { Reader } from '../process/readerClient';
import { unlessCancelled } from './notify';
import { registerCommand } from './registerCommand';
import * as settings from './settings';

/** Makes reports of the logs of other programs, and opens them. */
export function registerImport(reader: Reader, log: vscode.LogOutputChannel): vscode.Disposable {
  return registerCommand('captious.importResults', log, async (target, selected) => {
    for (const uri of await logsOf(target, selected)) {
      const title = vscode.l10n.t('Importing {0}…', basename(uri.path));
      const ask = { log: onDisk(uri), home: settings.home() };
      const made = await unlessCancelled(title, (signal) => reader.ask('import', ask, { signal }));
      if (made === undefined) return;
      await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(made.report));
    }
  });
}

/** The files of the menu, or those that the user chooses. */
async function logsOf(target: unknown, selected: unknown): Promise<readonly vscode.Uri[]> {
  const uris = Array.isArray(selected) && selected.length > 1 ? selected : [target];
  const named = uris.filter((uri) => uri instanceof vscode.Uri);
  if (named.length > 0) return named;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Select logs of Inspect, lmms-eval, CaptionEvalKit or Every Eval Ever'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Logs')]: ['eval', 'json', 'jsonl'] },
  });
  return chosen ?? [];
}

function onDisk({ scheme, fsPath }: vscode.Uri): string {
  if (scheme === 'file') return fsPath;
  throw usageError(
    vscode.l10n.t('Captious imports only files on disk.'),
    vscode.l10n.t('Save the file on this computer first.'),
  );
}
