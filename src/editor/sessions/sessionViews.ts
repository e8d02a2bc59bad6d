import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { CaptiousError, messageOf, wordsOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { say } from '../../base/say';
import { unassigned } from '../../sessions/session';
import { sessionMemory } from '../../protocol/session';
import type { SessionParts } from './sessionView';
import { createWork } from './autosave';
import { sessionFile } from './sessionFile';
import { needTrust } from '../trust';
import { askAnnotator } from './annotator';

interface View extends vscode.Disposable {
  reveal(): void;
}

interface Work {
  readonly annotator: string;
  assign(annotator: string): void;
  toString(): string;
}

interface Kind<S extends Work> {
  type: string;
  /** The end of the names of session files. */
  ending: string;
  /** The title of the dialog that asks for the annotator's name. */
  title: string;
  parse: (content: string, path: string) => S;
  view: (panel: vscode.WebviewPanel, path: string, session: S, startAt: number | undefined) => View;
}

/** The open sessions of one kind, one view per file. VS Code restores the views after a reload. */
export class SessionViews<S extends Work> implements vscode.Disposable {
  private readonly open = new Map<string, View>();

  constructor(
    private readonly parts: Pick<SessionParts, 'context' | 'log'>,
    private readonly kind: Kind<S>,
  ) {}

  /**
   * Shows the annotator's session whose file name begins with `stem`. If there is none, `create` makes it; it returns
   * undefined if the user cancels.
   */
  async begin(
    stem: string,
    create: (annotator: string, path: string) => Promise<S | undefined>,
  ): Promise<void> {
    const annotator = await this.askAnnotator();
    if (annotator === undefined) return;
    const path = await sessionFile(stem, annotator, this.kind.ending);
    if (!existsSync(path)) {
      const session = await create(annotator, path);
      if (session === undefined) return;
      await createWork(path, session);
    }
    await this.show(path);
  }

  async show(path: string): Promise<void> {
    const known = this.open.get(path);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(this.kind.type, 'Captious', vscode.ViewColumn.Active);
    try {
      await this.adopt(panel, path);
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }

  /** Shows a view again that VS Code kept over a reload. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const { session, index } = sessionMemory(state, '');
      await this.adopt(panel, session, index);
    } catch (error) {
      this.parts.log.warn(`A view of ${this.kind.type} could not be restored: ${messageOf(error)}`);
      panel.dispose();
    }
  }

  dispose(): void {
    for (const view of this.open.values()) view.dispose();
  }

  private async adopt(panel: vscode.WebviewPanel, path: string, index?: number): Promise<void> {
    // The view writes a file, and only a trusted workspace allows this.
    needTrust();
    const session = this.kind.parse(await readWork(path), path);
    const annotator = session.annotator === unassigned ? await this.askAnnotator() : undefined;
    if (annotator !== undefined) session.assign(annotator);
    const view = this.kind.view(panel, path, session, index);
    this.open.set(path, view);
    panel.onDidDispose(() => {
      this.open.delete(path);
      view.dispose();
    });
  }

  private askAnnotator(): Promise<string | undefined> {
    return askAnnotator(this.parts.context.globalState, this.kind.title);
  }
}

async function readWork(path: string): Promise<string> {
  try {
    return (await readBounded(path)).toString('utf8');
  } catch (cause) {
    throw new CaptiousError('input', say('editor.sessionUnreadable', wordsOf(cause)), { at: path, cause });
  }
}
