import * as vscode from 'vscode';
import { Boards } from './editor/board/boards';
import { DatasetBadges } from './editor/browse/badges';
import { DatasetEditors } from './editor/browse/datasetEditors';
import { Checks } from './editor/problems/checks';
import { registerCommands } from './editor/commands';
import { registerCommand } from './editor/registerCommand';
import { Datasets } from './editor/datasets';
import { Fixes } from './editor/problems/fixes';
import { HostAnswers } from './editor/runs/hostAnswers';
import { LargeFiles } from './editor/largeFiles';
import { HumanChecks } from './editor/sessions/checks';
import { TextHelp } from './editor/text/codeLenses';
import { AllMarks } from './editor/text/allMarks';
import { BesideMarks } from './editor/text/besideMarks';
import { Marks } from './editor/text/marks';
import { Throughput } from './editor/runs/throughput';
import { Panels, type PanelSource } from './editor/panel/panel';
import { runPanelType, RunSource } from './editor/panel/runSource';
import { StatusItem } from './editor/runs/runProgress';
import { Reader } from './process/readerClient';
import type { Allowed } from './protocol/service';
import { RecordStore } from './editor/runs/runRecord';
import {
  notHere,
  type ReportFileReader,
  reportPanels,
  reportPanelType,
  reportSource,
} from './editor/panel/reportSource';
import { registerImport } from './editor/importResults';
import { ReportEditor } from './editor/panel/reportEditor';
import { openReportLinks } from './editor/panel/reportLinks';
import { Rescoring } from './editor/text/rescoring';
import { isReportFile, RunMarks } from './editor/text/runMarks';
import { WordInfluence } from './editor/words/wordInfluence';
import { Runs } from './editor/runs/runs';
import { type RunNode, RunsView, runsViewId } from './editor/runs/runsView';
import { Submissions } from './editor/runs/submissions';
import { Scatters } from './editor/scatter/scatters';
import { judgeName } from './editor/sessions/annotator';
import { SideView } from './editor/side/sideView';
import * as settings from './editor/settings';
import { runsFolder, scopeOf } from './editor/scope';
import { knownPython } from './editor/python/interpreters';
import { needTrust } from './editor/trust';
import { namedEvaluators } from './editor/runs/selectRun';
import { Thresholds } from './editor/runs/thresholds';
import { registerTools } from './editor/tools';
import { offerAssistantServer } from './editor/assistantServer';
import { Triplets } from './editor/sessions/triplets';
import type { PanelMemory } from './protocol/panel';
import { readReport } from './report/report';

/** Connects the parts of the extension. Reads files and starts processes only after activation. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Captious', { log: true });
  const script = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;

  const reader = new Reader(script('reader.js'), {
    home: settings.home,
    isTrusted: () => vscode.workspace.isTrusted,
    needTrust,
    judge: (asks) => judgeName(context.globalState, asks),
    allowed: (scores) => allowedOf(context, scores),
  });
  const throughput = new Throughput(context.globalState);
  const hostAnswers = new HostAnswers(context.secrets);
  const runs = new Runs({
    store: new RecordStore(runsFolder(context)),
    script: script('runner.js'),
    home: settings.home,
    resumesRuns: () => vscode.workspace.isTrusted && settings.resumesRuns(),
    throughput,
    hostAnswers,
    log,
  });
  const { extensionUri, workspaceState: views } = context;
  const files = fileReaderOf(reader);
  const open = openerOf(runs, reader, files);
  const panels = new Panels({ viewType: runPanelType, extensionUri, log, views, open });
  const filePanels = reportPanels(extensionUri, files, log, views);
  const datasets = new Datasets(reader, log);
  const audit = (uri: vscode.Uri) => void vscode.commands.executeCommand('captious.audit', uri);
  const source = new RunMarks(runs, reader);
  const beside = new BesideMarks(reader, log);
  const results = new AllMarks(source, beside);
  const marks = new Marks(results, log);
  const rescoring = new Rescoring(marks, source, log);
  const submissions = new Submissions(reader, log);
  const view = new RunsView(runs, submissions, audit, views);
  const tree = treeOf(view);
  submissions.followWhileVisible(tree);
  const checks = new Checks(reader, runs, log);

  context.subscriptions.push(
    log,
    reader,
    runs,
    panels,
    filePanels,
    datasets,
    new LargeFiles(datasets, runs),
    marks,
    beside,
    new TextHelp(marks, datasets, checks),
    new WordInfluence(marks, source, views, log),
    rescoring,
    checks,
    Fixes.register(checks),
    new Thresholds(runs, log),
    view,
    new StatusItem(runs, panels),
    SideView.register({ extensionUri, log, marks, datasets, open, memory: views }),
    tree,
    submissions,
    vscode.window.registerWebviewPanelSerializer(runPanelType, panels),
    vscode.window.registerWebviewPanelSerializer(reportPanelType, filePanels),
    ReportEditor.register(filePanels, log),
    Triplets.register({ context, reader, log }),
    registerTools({ runs, reader, marks, memory: context.workspaceState }),
    offerAssistantServer(context, log),
    openReportLinks(log),
    Scatters.register({ extensionUri, runs, log }),
    Boards.register({ extensionUri, reader, runs, log }),
    registerLists({ extensionUri, reader, results, log }, datasets, source, view),
    HumanChecks.register({ context, runs, reader, log }),
  );
  // Loads runs in the background. Unfinished runs resume if the workspace is trusted and the settings allow it.
  setImmediate(() => void runs.load());
  registerCommands({
    ...{ context, runs, reader, throughput, panels, filePanels },
    ...{ beside, marks, rescoring, hostAnswers, datasets, log },
  });
}

/** What lists the examples of datasets, marks their files, imports logs, and arranges runs. */
function registerLists(
  parts: Parameters<typeof DatasetEditors.register>[0],
  datasets: Datasets,
  source: RunMarks,
  runsView: RunsView,
): vscode.Disposable {
  return vscode.Disposable.from(
    DatasetEditors.register(parts, datasets),
    new DatasetBadges(datasets, parts.results, source),
    registerImport(parts.reader, parts.log),
    registerCommand('captious.arrangeRuns', parts.log, () => runsView.arrange()),
  );
}

function treeOf(view: RunsView): vscode.TreeView<RunNode> {
  return vscode.window.createTreeView(runsViewId, {
    treeDataProvider: view,
    dragAndDropController: view,
    canSelectMany: true,
    showCollapseAll: true,
  });
}

/** The folders and, for scores, the evaluators that a report may use. */
async function allowedOf(context: vscode.ExtensionContext, scores: boolean): Promise<Allowed> {
  return {
    ...scopeOf(context),
    evaluators: scores ? await namedEvaluators() : [],
    python: scores ? await knownPython(context.workspaceState) : undefined,
  };
}

/** Returns a function that opens the results of a run or of a report file. */
function openerOf(runs: Runs, reader: Reader, files: ReportFileReader) {
  return (memory: PanelMemory): Promise<PanelSource> =>
    isReportFile(memory.run)
      ? reportSource(vscode.Uri.file(memory.run).toString(), files)
      : runs.load().then(() => new RunSource(runs, reader, memory));
}

/** Reads report files on disk. Other report files are read as in a browser. */
function fileReaderOf(reader: Reader): ReportFileReader {
  // `WebReports` is imported only when a report is not on disk.
  let elsewhere: Promise<ReportFileReader> | undefined;
  const reports = () =>
    (elsewhere ??= import('./editor/panel/webReports').then(({ WebReports }) => new WebReports()));
  return {
    read: async (report) =>
      report.scheme === 'file' ? readReport(report.fsPath) : (await reports()).read(report),
    answer: async (report, name, ask, context) =>
      report.scheme === 'file'
        ? reader.rows(name, { ...ask, report: report.fsPath }, settings.imageFolders(report), context)
        : (await reports()).answer(report, name, ask, context),
    can: ({ scheme }) => ({ whatIf: scheme === 'file', export: scheme === 'file' }),
    export: async (report) => {
      if (report.scheme !== 'file') throw notHere();
      await vscode.commands.executeCommand('captious.export', report.fsPath);
    },
  };
}
