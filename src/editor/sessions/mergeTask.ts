import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readBounded } from '../../base/files/readFile';
import { CheckSession } from '../../sessions/check';
import * as settings from '../settings';

const ending = '.check.json';
const reportEnding = '.report.json';

/** The files in the folder of `path` with judgments on rows of the same report, in the order of their names. */
export async function checksBeside(path: string, session: CheckSession): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(dirname(path))).filter((each) => each.endsWith(ending)).sort()) {
    const at = join(dirname(path), name);
    try {
      const { origin } = CheckSession.parse((await readBounded(at)).toString('utf8'), at);
      if (origin.rowsSha256 === session.origin.rowsSha256) found.push(at);
    } catch {
      // The file is no check, or a damaged one of somebody else. The merge needs only the others.
    }
  }
  return found;
}

/** Merges the judgments in a terminal, with the command line of the extension. */
export async function mergeInTerminal(
  cli: string,
  path: string,
  session: CheckSession,
): Promise<vscode.TaskExecution> {
  const { report, probe } = session.origin;
  const out = join(dirname(path), `${basename(report, reportEnding)}.merged`);
  const args = [cli, 'check', 'merge', ...(await checksBeside(path, session))];
  // PRSM needs new rankings, so its merge writes no report.
  if (probe !== 'prsm') args.push('--out', out);
  const task = new vscode.Task(
    { type: 'process' },
    vscode.TaskScope.Workspace,
    vscode.l10n.t('Merge judgments'),
    'Captious',
    new vscode.ProcessExecution(process.execPath, args, {
      cwd: dirname(path),
      // In a desktop editor, the executable is Electron, which is Node.js only with this variable.
      env: { ELECTRON_RUN_AS_NODE: '1', CAPTIOUS_HOME: settings.home() },
    }),
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: false, clear: true };
  return vscode.tasks.executeTask(task);
}
