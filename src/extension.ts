import * as vscode from 'vscode';
import { DatasetBadges } from './editor/browse/badges';
import { DatasetEditors } from './editor/browse/datasetEditors';
import { Checks } from './editor/problems/checks';
import { registerCommands } from './editor/registerCommands';
import { registerCommand } from './editor/registerCommand';
import { ofRuns, ofSelected, testsOnDemand, viewsOnDemand, viewTypes } from './editor/onDemand';
import { Datasets } from './editor/datasets';
import { Fixes } from './editor/problems/fixes';
import { endedEarly } from './editor/runs/activeRun';
import { HostAnswers } from './editor/runs/hostAnswers';
import { LargeFiles } from './editor/largeFiles';
import { TextHelp } from './editor/text/codeLenses';
import { AllMarks } from './editor/text/allMarks';
import { BesideMarks } from './editor/text/besideMarks';
import { Marks } from './editor/text/marks';
import { Throughput } from './editor/runs/throughput';
import { Panels, type PanelSource } from './editor/panel/panel';
import { runPanelType, RunSource } from './editor/panel/runSource';
import { StatusItem } from './editor/runs/runProgress';
import { Reader } from './process/readerClient';
import { Runners } from './process/runnerClient';
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
import { judgeName } from './editor/sessions/annotator';
import { SideView } from './editor/side/sideView';
import * as settings from './editor/settings';
import { runsFolder, scopeOf } from './editor/scope';
import { knownPython } from './editor/python/interpreters';
import { needTrust } from './editor/trust';
import { registerTools } from './editor/assistant/registerTools';
import { offerAssistantServer } from './editor/assistantServer';
import type { Boards } from './editor/board/boards';
import type { HumanChecks } from './editor/sessions/checks';
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
    runners: runnersOf(script('runner.js'), hostAnswers),
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
    testsOnDemand(runs, log, async () => {
      const { Thresholds } = await import('./editor/runs/thresholds');
      return new Thresholds(runs);
    }),
    view,
    new StatusItem(runs, panels),
    SideView.register({ extensionUri, log, marks, datasets, runs, open, memory: views }),
    tree,
    submissions,
    vscode.window.registerWebviewPanelSerializer(runPanelType, panels),
    vscode.window.registerWebviewPanelSerializer(reportPanelType, filePanels),
    ReportEditor.register(filePanels, log),
    registerTools({ runs, reader, marks, memory: context.workspaceState }),
    offerAssistantServer(context, log),
    openReportLinks(log),
    registerViews({ context, extensionUri, runs, reader, log }),
    registerLists({ extensionUri, reader, results, log }, datasets, source, view),
  );
  // Loads runs in the background. Unfinished runs resume if the workspace is trusted and the settings allow it.
  setImmediate(() => void runs.load());
  registerCommands({
    ...{ context, runs, reader, throughput, panels, filePanels },
    ...{ beside, marks, rescoring, hostAnswers, datasets, log },
  });
}

function runnersOf(script: string, { serve }: HostAnswers): Runners {
  return new Runners({ script, home: settings.home, serve, lost: endedEarly });
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

/** The views that a workspace without results never opens. Each loads its code when one of them opens. */
function registerViews(
  parts: ConstructorParameters<typeof HumanChecks>[0] & ConstructorParameters<typeof Boards>[0],
): vscode.Disposable {
  const { log } = parts;
  const { board, workshop, humanCheck } = viewTypes;
  return vscode.Disposable.from(
    viewsOnDemand(workshop, 'captious.makeTriplets', log, async () => {
      const { Triplets } = await import('./editor/sessions/triplets');
      return new Triplets(parts);
    }),
    viewsOnDemand(board, board, log, async () => {
      const { Boards } = await import('./editor/board/boards');
      return new Boards(parts);
    }),
    registerCommand('captious.boardOfRuns', log, async () => {
      await vscode.commands.executeCommand(board, ofRuns);
    }),
    registerCommand('captious.scatter', log, async (...targets) => {
      await vscode.commands.executeCommand(board, ofSelected, ...targets);
    }),
    viewsOnDemand(humanCheck, 'captious.checkVariants', log, async () => {
      const { HumanChecks } = await import('./editor/sessions/checks');
      return new HumanChecks(parts);
    }),
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
  const { namedEvaluators } = await import('./editor/runs/selectRun');
  return {
    ...scopeOf(context),
    evaluators: scores ? await namedEvaluators() : [],
    python: scores ? await knownPython(context.workspaceState) : undefined,
  };
}

/** Returns a function that opens the results of a run or of a report file. */
function openerOf(runs: Runs, reader: Reader, files: ReportFileReader) {
  const uriOf = (path: string) => vscode.Uri.file(path).toString();
  return (memory: PanelMemory): Promise<PanelSource> =>
    isReportFile(memory.run)
      ? reportSource(uriOf(memory.run), files, memory.compare.map(uriOf))
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
    can: ({ scheme }) => ({
      whatIf: scheme === 'file' && vscode.workspace.isTrusted,
      export: scheme === 'file',
      images: vscode.workspace.isTrusted,
    }),
    export: async (report) => {
      if (report.scheme !== 'file') throw notHere();
      await vscode.commands.executeCommand('captious.export', report.fsPath);
    },
  };
}
