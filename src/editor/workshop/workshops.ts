import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../../base/errors';
import { nobody } from '../../base/work';
import { Session } from '../../mining/session';
import type { Reader } from '../reader';
import * as settings from '../settings';
import { type AnswerTo, Helper } from './helper';
import { workshopMemory } from './messages';
import { readSession, writeSession } from './sessionFile';
import { Workshop, workshopType } from './workshop';

const ending = '.triplets.json';
const evaluatorKey = 'captious.workshop.evaluator';
const annotatorKey = 'captious.workshop.annotator';
/** More than anybody decides in a year; a longer file is cut, and says so. */
const mostItems = 5000;

export interface WorkshopsParts {
  context: vscode.ExtensionContext;
  reader: Reader;
  script: string;
  log: vscode.LogOutputChannel;
}

/** The triplet workshops that are open, one for each session file. */
export class Workshops implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, Workshop>();
  private readonly helper: Helper;

  constructor(private readonly parts: WorkshopsParts) {
    this.helper = new Helper(parts.script);
  }

  static register(parts: WorkshopsParts): vscode.Disposable {
    const workshops = new Workshops(parts);
    return vscode.Disposable.from(
      workshops,
      vscode.window.registerWebviewPanelSerializer(workshopType, workshops),
      vscode.commands.registerCommand('captious.makeTriplets', async (uri: unknown) => {
        try {
          await workshops.make(uri);
        } catch (error) {
          if (!(error instanceof CaptiousError))
            parts.log.error(error instanceof Error ? error : messageOf(error));
          void vscode.window.showErrorMessage(messageOf(error));
        }
      }),
    );
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const { session, index } = workshopMemory(state, '');
      await this.adopt(panel, session, index);
    } catch (error) {
      this.parts.log.warn(`A workshop could not be restored: ${messageOf(error)}`);
      panel.dispose();
    }
  }

  dispose(): void {
    for (const workshop of this.open.values()) workshop.dispose();
    this.helper.dispose();
  }

  /** From a captions file or from a session file. */
  private async make(uri: unknown): Promise<void> {
    const file = await fileOf(uri);
    if (file === undefined) return;
    const path = file.fsPath.endsWith(ending) ? file.fsPath : await this.begin(file.fsPath);
    if (path === undefined) return;
    const known = this.open.get(path);
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(workshopType, 'Captious', vscode.ViewColumn.Active);
    try {
      await this.adopt(panel, path);
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }

  /** Makes a session file beside the captions, or finds the one that this person began; answers its path. */
  private async begin(dataset: string): Promise<string | undefined> {
    const annotator = await this.askAnnotator();
    if (annotator === undefined) return undefined;
    const stem = basename(dataset, extname(dataset));
    const path = join(dirname(dataset), `${stem}.${annotator.replace(/[^\p{L}\p{N}-]+/gu, '_')}${ending}`);
    if (existsSync(path)) return path;
    const seed = settings.seed(vscode.Uri.file(dataset));
    const mined = await this.mine(dataset, seed);
    if (mined === undefined) return undefined;
    const { halves, how, sha256 } = mined;
    if (halves.length === 0)
      throw new CaptiousError('input', vscode.l10n.t('There is nothing in this file to make triplets of.'), {
        at: dataset,
      });
    if (halves.length === mostItems)
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The session holds the first {0} of this file.', mostItems),
      );
    await writeSession(path, Session.begin(halves, { path: dataset, sha256, how, seed }, annotator));
    return path;
  }

  /** undefined where the person gave up: the process is ended then, whatever it was at. */
  private async mine(dataset: string, seed: number): Promise<AnswerTo<'mine'> | undefined> {
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Making candidates from {0}', basename(dataset)),
        cancellable: true,
      },
      async (_progress, token) => {
        token.onCancellationRequested(() => {
          this.helper.dispose();
        });
        try {
          return await this.helper.ask('mine', { dataset, seed, limit: mostItems });
        } catch (error) {
          if (token.isCancellationRequested) return undefined;
          throw error;
        }
      },
    );
  }

  private async askAnnotator(): Promise<string | undefined> {
    const memory = this.parts.context.globalState;
    const given = await vscode.window.showInputBox({
      title: vscode.l10n.t('Triplets: who decides'),
      prompt: vscode.l10n.t('A name. It tells your decisions from those of others when they are merged.'),
      value: memory.get<string>(annotatorKey) ?? userInfo().username,
      validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A name is needed.') : undefined),
      ignoreFocusOut: true,
    });
    if (given === undefined) return undefined;
    await memory.update(annotatorKey, given.trim());
    return given.trim();
  }

  private async adopt(panel: vscode.WebviewPanel, path: string, index?: number): Promise<void> {
    const session = await readSession(path);
    if (session.annotator === nobody) {
      const annotator = await this.askAnnotator();
      if (annotator !== undefined) session.assign(annotator);
    }
    const { context, log } = this.parts;
    const workshop = new Workshop(
      panel,
      path,
      session,
      {
        context,
        helper: this.helper,
        log,
        evaluator: () => this.evaluator(),
        chooseEvaluator: () => this.chooseEvaluator(),
      },
      index,
    );
    this.open.set(path, workshop);
    panel.onDidDispose(() => {
      this.open.delete(path);
      workshop.dispose();
    });
  }

  /** The one chosen here, else the one last audited with, else the one that ships. */
  private evaluator(): string {
    const memory = this.parts.context.workspaceState;
    const audited = memory.get<{ evaluators?: string[] }>('captious.choice')?.evaluators?.at(0);
    return memory.get<string>(evaluatorKey) ?? audited ?? 'starter';
  }

  private async chooseEvaluator(): Promise<string | undefined> {
    const chairs = await this.parts.reader.evaluators(settings.home(), settings.evaluatorFolders());
    const chosen = await vscode.window.showQuickPick(
      chairs
        .filter(({ problem }) => problem === undefined)
        .map(({ id, name, kind }) => ({ label: name, description: kind, id })),
      { title: vscode.l10n.t('Whose cosines to show') },
    );
    if (chosen === undefined) return undefined;
    await this.parts.context.workspaceState.update(evaluatorKey, chosen.id);
    return chosen.id;
  }
}

async function fileOf(uri: unknown): Promise<vscode.Uri | undefined> {
  if (uri instanceof vscode.Uri) return uri;
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active?.scheme === 'file') return active;
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Captions, or triplets in the making'),
      defaultUri: vscode.workspace.workspaceFolders?.at(0)?.uri,
    })) ?? [];
  return chosen;
}
