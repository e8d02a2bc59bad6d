import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import { registerCommand } from './registerCommand';
import type { Runs } from './runs/runs';

/** The views whose code loads when the first of them opens, by their types in VS Code. */
export const viewTypes = {
  board: 'captious.board',
  workshop: 'captious.workshop',
  humanCheck: 'captious.humanCheck',
} as const;

/** The target of the board that shows this window's runs instead of a folder. */
export const ofRuns = 'runs';
/** The target of a board of reports that the user selects, also by their runs. */
export const ofSelected = 'selected';

/** What opens the views of one kind: by a command, and when VS Code restores them. */
export interface Opener extends vscode.WebviewPanelSerializer, Partial<vscode.Disposable> {
  open(...targets: unknown[]): Promise<void>;
}

/** Registers views whose code loads when the first of them opens. */
export function viewsOnDemand(
  type: (typeof viewTypes)[keyof typeof viewTypes],
  command: string,
  log: vscode.LogOutputChannel,
  load: () => Promise<Opener>,
): vscode.Disposable {
  let loading: Promise<Opener> | undefined;
  let opener: Opener | undefined;
  const loaded = async (): Promise<Opener> => (opener = await (loading ??= load()));
  return vscode.Disposable.from(
    vscode.window.registerWebviewPanelSerializer(type, {
      deserializeWebviewPanel: async (panel, state) => (await loaded()).deserializeWebviewPanel(panel, state),
    }),
    registerCommand(command, log, async (...targets) => (await loaded()).open(...targets)),
    new vscode.Disposable(() => void opener?.dispose?.()),
  );
}

/** Shows thresholds as tests once a run is done. The editor starts earlier without the tests, and before there are none. */
export function testsOnDemand(
  runs: Pick<Runs, 'all' | 'onDidChange'>,
  log: vscode.LogOutputChannel,
  load: () => Promise<vscode.Disposable>,
): vscode.Disposable {
  let isOver = false;
  let tests: vscode.Disposable | undefined;
  const start = async (): Promise<void> => {
    tests = await load();
    if (isOver) tests.dispose();
  };
  const follow = runs.onDidChange(() => {
    if (!runs.all.some(({ state }) => state === 'done')) return;
    follow.dispose();
    start().catch((error: unknown) => log.error(messageOf(error)));
  });
  return new vscode.Disposable(() => {
    isOver = true;
    follow.dispose();
    tests?.dispose();
  });
}
