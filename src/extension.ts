import * as vscode from 'vscode';
import { Checks } from './editor/checks';
import { registerCommands } from './editor/commands';
import { Datasets } from './editor/datasets';
import { Fixes } from './editor/fixes';
import { TextHelp } from './editor/lenses';
import { Marks } from './editor/marks';
import { Pace } from './editor/pace';
import { Panels, panelType } from './editor/panel';
import { StatusItem } from './editor/progress';
import { Reader } from './editor/reader';
import { RecordStore } from './editor/record';
import { Rescoring } from './editor/rescoring';
import { RunMarks } from './editor/runMarks';
import { Runs } from './editor/runs';
import { RunsView, runsViewId } from './editor/runsView';
import * as settings from './editor/settings';
import { Thresholds } from './editor/thresholds';
import { registerTools } from './editor/tools';
import { Workshops } from './editor/workshop/workshops';

/** Wires the parts together. Nothing here reads a file or starts a process: that waits until it is done. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Captious', { log: true });
  const script = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'runs').fsPath;

  const reader = new Reader(script('reader.js'));
  const pace = new Pace(context.globalState);
  const runs = new Runs({
    store: new RecordStore(folder),
    script: script('runner.js'),
    home: settings.home,
    goOn: () => vscode.workspace.isTrusted && settings.resumesRuns(),
    pace,
    log,
  });
  const panels = new Panels({ context, runs, reader, log });
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
    datasets,
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
    Workshops.register({ context, reader, script: script('workshop.js'), log }),
    registerTools({ runs, reader, marks }),
  );
  // What was going on when the window went goes on, though nobody looks at it.
  setImmediate(() => void runs.load());
  registerCommands({ context, runs, reader, pace, panels, rescoring, log });
}
