/* Starts Captious in a browser, where it shows reports and their results in datasets, but cannot score. */
import * as vscode from 'vscode';
import { messageOf } from './base/errors';
import { TextHelp } from './editor/text/codeLenses';
import { Marks } from './editor/text/marks';
import { notHere, reportPanels, reportPanelType } from './editor/panel/reportSource';
import { openReportAsText, ReportEditor } from './editor/panel/reportEditor';
import { pickResult } from './editor/text/resultPick';
import { WebMarks } from './editor/text/webMarks';
import { datasetEditorType, openExampleCommand } from './editor/panel/reveal';
import { WebReports } from './editor/panel/webReports';
import { trouble } from './editor/messages';
import { showError } from './editor/notify';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Captious', { log: true });
  const reports = new WebReports();
  const source = new WebMarks(reports, log);
  const marks = new Marks(source, log);
  const panels = reportPanels(context.extensionUri, reports, log, context.workspaceState);
  const never = () => new vscode.Disposable(() => undefined);
  const open = async (target: unknown, line: unknown, _whatIf?: unknown, evaluator?: unknown) => {
    const own = typeof target === 'string' ? source.reportBy(target, evaluator) : target;
    const uri = typeof own === 'string' ? vscode.Uri.parse(own, true) : own;
    const report = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    if (report !== undefined)
      await panels.show({ run: report.toString(), compare: [] }, typeof line === 'number' ? { line } : {});
  };
  const doable: Record<string, (...args: unknown[]) => unknown> = {
    'captious.openReport': open,
    'captious.openReportAsText': openReportAsText,
    'captious.openPanel': open,
    'captious.showResults': (uri, line) => pickResult(marks, uri, line),
    'captious.showLog': () => log.show(),
    'captious.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:captious.captious'),
  };
  const { contributes } = context.extension.packageJSON as {
    contributes: { commands: { command: string }[] };
  };
  for (const { command } of contributes.commands)
    context.subscriptions.push(
      vscode.commands.registerCommand(command, async (...args: unknown[]) => {
        try {
          const run = doable[command] as ((...given: unknown[]) => unknown) | undefined;
          if (run === undefined) throw notHere();
          return await run(...args);
        } catch (error) {
          log.error(messageOf(error));
          void showError(trouble(error));
          return undefined;
        }
      }),
    );
  // This context limits menus to actions that work in a browser.
  void vscode.commands.executeCommand('setContext', 'captious.readOnly', true);
  context.subscriptions.push(
    log,
    source,
    marks,
    panels,
    new TextHelp(
      marks,
      { canAudit: false, has: () => false, readsAs: () => undefined, onDidChange: never },
      { problemCount: () => [0, 0], onDidChange: never },
    ),
    vscode.window.registerWebviewPanelSerializer(reportPanelType, panels),
    vscode.commands.registerCommand(openExampleCommand, () => void showError(trouble(notHere()))),
    vscode.window.registerCustomEditorProvider(datasetEditorType, {
      openCustomDocument: () => {
        throw new Error(trouble(notHere()));
      },
      resolveCustomEditor: () => undefined,
    }),
    ReportEditor.register(panels, log),
  );
  void source.load();
}
