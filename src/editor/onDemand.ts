import * as vscode from 'vscode';
import { registerCommand } from './registerCommand';

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
