import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { TripletSession } from '../../sessions/triplets';
import { createWork } from '../sitting/autosave';
import type { Reader } from '../../process/readerClient';
import * as settings from '../settings';
import { sessionFile } from '../sitting/sessionFile';
import { askAnnotator, assignTo, readWork, sittingCommand, Sittings } from '../sitting/sittings';
import type { Mined } from '../../protocol/workshop';
import { knownPython } from '../python/interpreters';
import { signalOf } from '../cancellation';
import { pick, showWarning, withProgress } from '../notify';
import { Workshop, workshopType } from './workshop';

const ending = '.triplets.json';
const evaluatorKey = 'captious.workshop.evaluator';
/** The most items of a session. If a session has this many, the user sees a warning. */
const mostItems = 5000;

export interface WorkshopsParts {
  context: vscode.ExtensionContext;
  reader: Reader;
  log: vscode.LogOutputChannel;
}

/** Opens triplet workshops, one view per session file. */
export class Workshops implements vscode.Disposable {
  private readonly views: Sittings;

  private constructor(private readonly parts: WorkshopsParts) {
    this.views = new Sittings(workshopType, parts.log, (panel, path, index) => this.view(panel, path, index));
  }

  static register(parts: WorkshopsParts): vscode.Disposable {
    const workshops = new Workshops(parts);
    return vscode.Disposable.from(
      workshops,
      vscode.window.registerWebviewPanelSerializer(workshopType, workshops.views),
      sittingCommand('captious.makeTriplets', parts.log, (uri) => workshops.make(uri)),
    );
  }

  dispose(): void {
    this.views.dispose();
  }

  /** Opens a session file, or makes one from a dataset. */
  private async make(uri: unknown): Promise<void> {
    const file = await fileOf(uri);
    if (file === undefined) return;
    const path = file.fsPath.endsWith(ending) ? file.fsPath : await this.begin(file.fsPath);
    if (path !== undefined) await this.views.show(path);
  }

  /** Finds or creates the annotator's session file next to the dataset. Returns the path; undefined if cancelled. */
  private async begin(dataset: string): Promise<string | undefined> {
    const annotator = await this.askAnnotator();
    if (annotator === undefined) return undefined;
    const stem = join(dirname(dataset), basename(dataset, extname(dataset)));
    const path = await sessionFile(stem, annotator, ending);
    if (existsSync(path)) return path;
    const seed = settings.seed(vscode.Uri.file(dataset));
    const mined = await this.mine(dataset, seed);
    if (mined === undefined) return undefined;
    const { halves, how, sha256 } = mined;
    if (halves.length === 0)
      throw new CaptiousError('input', vscode.l10n.t('No triplets can be made from this file.'), {
        at: dataset,
      });
    if (halves.length === mostItems)
      void showWarning(
        vscode.l10n.t(
          'A session has at most {0} items. It leaves out any further items of this file.',
          mostItems,
        ),
      );
    await createWork(path, TripletSession.begin(halves, { path: dataset, sha256, how, seed }, annotator));
    return path;
  }

  /** Finds candidates for triplets in the dataset. Returns undefined if the user cancels. */
  private async mine(dataset: string, seed: number): Promise<Mined | undefined> {
    return withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Finding candidates in {0}', basename(dataset)),
        cancellable: true,
      },
      async (_report, token) => {
        try {
          const question = { dataset, seed, limit: mostItems };
          return await this.parts.reader.ask('mine', question, { signal: signalOf(token) });
        } catch (error) {
          if (token.isCancellationRequested) return undefined;
          throw error;
        }
      },
    );
  }

  private askAnnotator(): Promise<string | undefined> {
    return askAnnotator(this.parts, vscode.l10n.t('Make triplets: your name'));
  }

  private async view(panel: vscode.WebviewPanel, path: string, index?: number): Promise<Workshop> {
    const session = TripletSession.parse(await readWork(path), path);
    await assignTo(session, () => this.askAnnotator());
    const { context, reader, log } = this.parts;
    const parts = {
      context,
      reader,
      log,
      evaluator: () => this.evaluator(),
      python: () => knownPython(context.workspaceState),
      chooseEvaluator: () => this.chooseEvaluator(),
    };
    return new Workshop(panel, path, session, parts, index);
  }

  /** The evaluator chosen in a workshop, else the first evaluator of the last audit, else the evaluator `starter`. */
  private evaluator(): string {
    const memory = this.parts.context.workspaceState;
    const audited = memory.get<{ evaluators?: string[] }>('captious.choice')?.evaluators?.at(0);
    return memory.get<string>(evaluatorKey) ?? audited ?? 'starter';
  }

  private async chooseEvaluator(): Promise<string | undefined> {
    const entries = await this.parts.reader.ask('evaluators', {
      home: settings.home(),
      folders: settings.evaluatorFolders(),
    });
    const chosen = await pick(
      entries
        // Judges are too slow and expensive to score while the annotator types.
        .filter(({ problem, kind }) => problem === undefined && kind !== 'judge' && kind !== 'fleur')
        .map(({ id, name, kind }) => ({ label: name, description: kind, id })),
      { title: vscode.l10n.t('Select the evaluator for the scores') },
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
      title: vscode.l10n.t('Select a dataset or a triplet session'),
      defaultUri: vscode.workspace.workspaceFolders?.at(0)?.uri,
    })) ?? [];
  return chosen;
}
