import * as vscode from 'vscode';
import { Checks } from './editor/checks';
import { registerCommands } from './editor/commands';
import { Datasets } from './editor/datasets';
import { Fixes } from './editor/fixes';
import { Grants } from './editor/grants';
import { LargeFiles } from './editor/largeFiles';
import { HumanChecks } from './editor/humanCheck/humanChecks';
import { TextHelp } from './editor/lenses';
import { Marks } from './editor/marks';
import { Pace } from './editor/pace';
import { Panels, panelType } from './editor/panel';
import { StatusItem } from './editor/progress';
import { Reader } from './editor/reader';
import { RecordStore } from './editor/record';
import { notHere, type ReportDesk, ReportPanels, reportPanelType } from './editor/reportPanel';
import { Rescoring } from './editor/rescoring';
import { RunMarks } from './editor/runMarks';
import { Runs } from './editor/runs';
import { RunsView, runsViewId } from './editor/runsView';
import * as settings from './editor/settings';
import { Thresholds } from './editor/thresholds';
import { registerTools } from './editor/tools';
import { Workshops } from './editor/workshop/workshops';
import { readReport } from './report/report';

/** Wires the parts together. Nothing here reads a file or starts a process: that waits until it is done. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Captious', { log: true });
  const script = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'runs').fsPath;

  const reader = new Reader(script('reader.js'));
  const pace = new Pace(context.globalState);
  const grants = new Grants(context.secrets);
  const runs = new Runs({
    store: new RecordStore(folder),
    script: script('runner.js'),
    home: settings.home,
    goOn: () => vscode.workspace.isTrusted && settings.resumesRuns(),
    pace,
    grants,
    log,
  });
  const panels = new Panels({ context, runs, reader, log });
  const reportPanels = new ReportPanels(context.extensionUri, deskOf(reader), log);
  const datasets = new Datasets(reader, log);
  const audit = (uri: vscode.Uri) => void vscode.commands.executeCommand('captious.audit', uri);
  const source = new RunMarks(runs, reader);
  const marks = new Marks(source, log);
  const rescoring = new Rescoring(marks, source, log);
  const view = new RunsView(runs, audit);
  const checks = new Checks(reader, runs, log);

  context.subscriptions.push(
    log,
    reader,
    runs,
    panels,
    reportPanels,
    datasets,
    new LargeFiles(datasets, runs),
    marks,
    new TextHelp(marks, datasets, checks),
    rescoring,
    checks,
    Fixes.register(checks),
    new Thresholds(runs, log),
    view,
    new StatusItem(runs),
    vscode.window.createTreeView(runsViewId, {
      treeDataProvider: view,
      dragAndDropController: view,
      canSelectMany: true,
      showCollapseAll: true,
    }),
    vscode.window.registerWebviewPanelSerializer(panelType, panels),
    vscode.window.registerWebviewPanelSerializer(reportPanelType, reportPanels),
    Workshops.register({ context, reader, script: script('workshop.js'), log }),
    registerTools({ runs, reader, marks }),
    HumanChecks.register({ context, runs, script: script('workshop.js'), log }),
  );
  // What was going on when the window went goes on, though nobody looks at it.
  setImmediate(() => void runs.load());
  registerCommands({ context, runs, reader, pace, panels, reportPanels, rescoring, grants, log });
}

/** Report files by way of the reading process; those that are not on disk as in a browser. */
function deskOf(reader: Reader): ReportDesk {
  // Only for folders that are not on disk, so that the others do not wait for it.
  let elsewhere: Promise<ReportDesk> | undefined;
  const reports = () =>
    (elsewhere ??= import('./editor/web/webReports').then(({ WebReports }) => new WebReports()));
  return {
    read: async (report) =>
      report.scheme === 'file' ? readReport(report.fsPath) : (await reports()).read(report),
    answer: async (report, ask) =>
      report.scheme === 'file'
        ? reader.ask({ ...ask, report: report.fsPath }, settings.imageFolders(report))
        : (await reports()).answer(report, ask),
    can: ({ scheme }) => ({ whatIf: scheme === 'file', export: scheme === 'file' }),
    export: async (report) => {
      if (report.scheme !== 'file') throw notHere();
      await vscode.commands.executeCommand('captious.export', report.fsPath);
    },
  };
}
