import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import { activeFile } from '../activeFile';
import { trouble } from '../messages';
import { inertLines } from '../notify';
import { escapeMarkup } from './page';
import type { Panels } from './panel';

export const reportEditorType = 'captious.reportEditor';
const asText = 'captious.openReportAsText';

/** Opens report files in the panel. A file that is no readable report shows why, and a link that opens its text. */
export class ReportEditor implements vscode.CustomReadonlyEditorProvider {
  private constructor(
    private readonly panels: Panels,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  static register(panels: Panels, log: vscode.LogOutputChannel): vscode.Disposable {
    return vscode.window.registerCustomEditorProvider(reportEditorType, new ReportEditor(panels, log), {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    try {
      await this.panels.take(panel, { run: uri.toString(), compare: [] });
    } catch (error) {
      this.log.warn(messageOf(error));
      panel.webview.options = { enableCommandUris: [asText] };
      panel.webview.html = problemPage(uri, trouble(error));
    }
  }
}

/** Opens a report file in the text editor: the given one, or else the active one. */
export async function openReportAsText(target: unknown): Promise<void> {
  const uri = typeof target === 'string' ? vscode.Uri.parse(target, true) : target;
  const report = uri instanceof vscode.Uri ? uri : activeFile();
  if (report !== undefined) await vscode.commands.executeCommand('vscode.openWith', report, 'default');
}

/** A page without scripts. `problem` may quote the file, so it is escaped. */
export function problemPage(report: vscode.Uri, problem: string): string {
  const open = `command:${asText}?${encodeURIComponent(JSON.stringify([report.toString()]))}`;
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Captious</title>
</head>
<body>
<h1>${escapeMarkup(vscode.l10n.t('This report cannot be shown.'))}</h1>
<p>${escapeMarkup(inertLines(problem))}</p>
<p><a href="${escapeMarkup(open)}">${escapeMarkup(vscode.l10n.t('Open as Text'))}</a></p>
</body>
</html>`;
}
