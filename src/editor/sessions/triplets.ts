import { basename, dirname, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import type { Mined } from '../../protocol/session';
import { TripletSession } from '../../sessions/triplets';
import { activeFile } from '../activeFile';
import { type Opener, viewTypes } from '../onDemand';
import { pick, showWarning, unlessCancelled } from '../notify';
import { knownPython } from '../python/interpreters';
import * as settings from '../settings';
import { needTrust } from '../trust';
import type { SessionParts } from './sessionView';
import { SessionViews } from './sessionViews';
import { TripletView } from './tripletView';

const ending = '.triplets.json';
const evaluatorKey = 'captious.workshop.evaluator';
/** The most items of a session. If a session has this many, the user sees a warning. */
const mostItems = 5000;

/** Opens triplet workshops, one view per session file. */
export class Triplets implements Opener {
  private readonly views: SessionViews<TripletSession>;

  constructor(private readonly parts: SessionParts) {
    const viewParts = {
      ...parts,
      evaluator: () => this.evaluator(),
      python: () => knownPython(parts.context.workspaceState),
      chooseEvaluator: () => this.chooseEvaluator(),
    };
    this.views = new SessionViews(parts, {
      ...{ type: viewTypes.workshop, ending, title: vscode.l10n.t('Make triplets: your name') },
      parse: (content, path) => TripletSession.parse(content, path),
      view: (panel, path, session, startAt) => new TripletView(panel, path, session, viewParts, startAt),
    });
  }

  /** Opens a session file, or finds or creates the annotator's session file next to a dataset. */
  async open(uri: unknown): Promise<void> {
    needTrust();
    const file = (await fileOf(uri))?.fsPath;
    if (file === undefined) return;
    if (file.endsWith(ending)) return this.views.show(file);
    const stem = join(dirname(file), basename(file, extname(file)));
    await this.views.begin(stem, (annotator) => this.create(file, annotator));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.views.restore(panel, state);
  }

  dispose(): void {
    this.views.dispose();
  }

  private async create(dataset: string, annotator: string): Promise<TripletSession | undefined> {
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
    return TripletSession.begin(halves, { path: dataset, sha256, how, seed }, annotator);
  }

  /** Finds candidates for triplets in the dataset. Returns undefined if the user cancels. */
  private async mine(dataset: string, seed: number): Promise<Mined | undefined> {
    return unlessCancelled(vscode.l10n.t('Finding candidates in {0}', basename(dataset)), (signal) =>
      this.parts.reader.ask('mine', { dataset, seed, limit: mostItems }, { signal }),
    );
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
  const active = activeFile();
  if (active?.scheme === 'file') return active;
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select a dataset or a triplet session'),
      defaultUri: vscode.workspace.workspaceFolders?.at(0)?.uri,
    })) ?? [];
  return chosen;
}
