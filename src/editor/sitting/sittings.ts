import * as vscode from 'vscode';
import { CaptiousError, messageOf, wordsOf } from '../../base/errors';
import { userName } from '../../base/files/home';
import { readBounded } from '../../base/files/readFile';
import { say } from '../../base/say';
import { unassigned } from '../../sessions/session';
import { sittingMemory } from '../../protocol/sitting';
import type { SittingParts } from './sittingView';
import { trouble } from '../messages';
import { needTrust } from '../trust';
import { ask, showError } from '../notify';

const annotatorKey = 'captious.workshop.annotator';

interface View extends vscode.Disposable {
  reveal(): void;
}

/** The open annotation views of one type, one per file. VS Code restores the views after a reload. */
export class Sittings implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, View>();

  constructor(
    private readonly type: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly view: (
      panel: vscode.WebviewPanel,
      path: string,
      index: number | undefined,
    ) => Promise<View>,
  ) {}

  async show(path: string): Promise<void> {
    const known = this.open.get(path);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(this.type, 'Captious', vscode.ViewColumn.Active);
    try {
      await this.adopt(panel, path);
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const { session, index } = sittingMemory(state, '');
      await this.adopt(panel, session, index);
    } catch (error) {
      this.log.warn(`A view of ${this.type} could not be restored: ${messageOf(error)}`);
      panel.dispose();
    }
  }

  dispose(): void {
    for (const view of this.open.values()) view.dispose();
  }

  private async adopt(panel: vscode.WebviewPanel, path: string, index?: number): Promise<void> {
    // The view writes a file, and only a trusted workspace allows this.
    needTrust();
    const view = await this.view(panel, path, index);
    this.open.set(path, view);
    panel.onDidDispose(() => {
      this.open.delete(path);
      view.dispose();
    });
  }
}

/** Registers a command. Shows its errors to the user, and also logs unexpected errors. */
export function sittingCommand(
  id: string,
  log: vscode.LogOutputChannel,
  run: (target: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (target: unknown) => {
    try {
      needTrust();
      await run(target);
    } catch (error) {
      if (!(error instanceof CaptiousError)) log.error(error instanceof Error ? error : messageOf(error));
      void showError(trouble(error));
    }
  });
}

export async function askAnnotator(
  { context }: Pick<SittingParts, 'context'>,
  title: string,
): Promise<string | undefined> {
  const memory = context.globalState;
  const given = await ask({
    title,
    prompt: vscode.l10n.t(
      'Enter your name. It identifies your decisions when files of several annotators are merged.',
    ),
    value: memory.get<string>(annotatorKey) ?? userName(),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
    ignoreFocusOut: true,
  });
  if (given === undefined) return undefined;
  await memory.update(annotatorKey, given.trim());
  return given.trim();
}

/** If a session has no annotator, asks the user for a name and assigns the session to this name. */
export async function assignTo(
  session: { readonly annotator: string; assign(annotator: string): void },
  ask: () => Promise<string | undefined>,
): Promise<void> {
  if (session.annotator !== unassigned) return;
  const annotator = await ask();
  if (annotator !== undefined) session.assign(annotator);
}

export async function readWork(path: string): Promise<string> {
  try {
    return (await readBounded(path)).toString('utf8');
  } catch (cause) {
    throw new CaptiousError('input', say`This file cannot be read: ${wordsOf(cause)}.`, { at: path, cause });
  }
}
