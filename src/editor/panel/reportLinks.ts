/* Opens reports for other programs, by links such as vscode://captious.captious/open?report=PATH. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../../base/errors';
import { say } from '../../base/say';
import { trouble } from '../messages';
import { confirm, inert, showError } from '../notify';

/** The question shows the whole path, so a path is not longer than a line of it. */
const mostPath = 900;

/** Registers the handler of links. Any program and any web page can open a link, so each one asks first. */
export function openReportLinks(log: vscode.LogOutputChannel): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      try {
        const path = linkedReport(uri);
        if (await agreesToOpen(path))
          await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(path));
      } catch (error) {
        log.error(messageOf(error));
        void showError(trouble(error));
      }
    },
  });
}

/** The path of the report that a link names. Throws if it may lead to another computer, or does not name a report. */
export function linkedReport(
  { path, query }: Pick<vscode.Uri, 'path' | 'query'>,
  platform: NodeJS.Platform = process.platform,
): string {
  // VS Code has decoded the query, so the rest of it is the path, with its & and + and %.
  const [, report] = /^report=(.+)$/s.exec(query) ?? [];
  if (path !== '/open' || report === undefined)
    throw new CaptiousError('usage', say('editor.linkUnknown'), { remedy: say('editor.useReportLink') });
  if (!isOnThisComputer(report, platform))
    throw new CaptiousError('usage', say('editor.linkNotLocal'), {
      at: report,
      remedy: say('editor.useReportLink'),
    });
  if (!report.endsWith('.report.json') || report.length > mostPath)
    throw new CaptiousError('usage', say('editor.linkNoReport', mostPath), {
      at: report,
      remedy: say('report.chooseReport'),
    });
  return report;
}

function isOnThisComputer(path: string, platform: NodeJS.Platform): boolean {
  const parts = path.split(/[\\/]/);
  // A program that touches \\host\a or //host/a on Windows logs in to that host. \\?\ and \\.\ name devices.
  if (/^[\\/]{2}/.test(path) || parts.includes('..') || path.includes('\0')) return false;
  if (platform !== 'win32') return path.startsWith('/');
  // A colon after the drive would name a stream of a file.
  return /^[a-z]:[\\/]/i.test(path) && !path.slice(2).includes(':');
}

async function agreesToOpen(path: string): Promise<boolean> {
  const open = vscode.l10n.t('Open Report');
  const question = vscode.l10n.t(
    'Another program asks Captious to open the report "{0}". Open it?',
    basename(path),
  );
  return (await confirm(question, inert(path), open)) === open;
}
