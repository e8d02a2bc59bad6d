import * as vscode from 'vscode';
import { type CallContext, passing } from '../../base/calls';
import { messageOf } from '../../base/errors';
import { type RowAnswer, type RowAsk, type RowRequest, rowRequests } from '../../protocol/rows';
import { type FromSide, fromSide, type SideExample, type SideState, type ToSide } from '../../protocol/side';
import { trouble } from '../messages';
import { showStatus } from '../notify';
import { answerInWords, hearPage, openPage, PageRequests } from '../panel/page';
import { lastPart } from '../panel/reportSource';
import { revealLine } from '../panel/reveal';
import { isGoing } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import type { KnownDatasets } from '../text/codeLenses';
import type { Marks } from '../text/marks';
import { Follower } from './follower';
import { type OpenResults, Results, startOf } from './results';
import type { PlacedMark } from '../text/evaluatorMarks';

export interface SideParts {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  marks: Marks;
  datasets: Pick<KnownDatasets, 'canAudit' | 'has' | 'onDidChange'>;
  runs: Pick<Runs, 'all' | 'onDidChange'>;
  open: OpenResults;
  /** Stores which probe the user chose. */
  memory: vscode.Memento;
}

const probeKey = 'captious.side.probe';

interface Place {
  document: vscode.TextDocument;
  cursor: vscode.Position;
}

interface Shown extends Place {
  results: Results | undefined;
  example: SideExample | null;
}

/** Controls the page of the side panel, which shows the results of the example at the cursor. */
export class SidePage implements vscode.Disposable {
  private readonly requests: PageRequests;
  private readonly follower = new Follower<Place | undefined>((place) => this.look(place));
  private readonly disposables: vscode.Disposable[];
  /** Subscriptions while the page is visible. */
  private subscriptions: vscode.Disposable[] = [];
  private results: { key: string; opened: Promise<Results | undefined> } | undefined;
  /** The last place of the cursor in a text. It is kept while the active tab has no text. */
  private place: Place | undefined;
  private shown: Shown | undefined;
  /** The last message of each type. An equal message is not sent again. */
  private sent: Partial<Record<ToSide['type'], string>> = {};

  constructor(
    private readonly view: vscode.WebviewView,
    private readonly parts: SideParts,
  ) {
    const { webview } = view;
    this.requests = new PageRequests(
      webview,
      passing(rowRequests, (name, ask, context) => answerInWords(this.answer(name, ask, context))),
    );
    this.disposables = [
      hearPage(webview, parts.log, async (value) => {
        if (!this.requests.hear(value)) await this.handle(fromSide(value, ''));
      }),
      // VS Code unloads the page of a hidden view. The next page sends `ready`.
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.rest();
      }),
      openPage(webview, {
        extensionUri: parts.extensionUri,
        name: 'side-view',
        root: 'side',
        memory: null,
        images: 'blob:',
      }),
    ];
  }

  dispose(): void {
    this.rest();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private rest(): void {
    this.follower.pause();
    this.requests.end();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.subscriptions = [];
    this.results = undefined;
    this.shown = undefined;
  }

  private async handle(message: FromSide): Promise<void> {
    const { shown } = this;
    switch (message.type) {
      case 'ready':
        this.begin();
        return;
      case 'probe':
        // The choice applies to all files, so that the next file shows the same probe.
        await this.parts.memory.update(probeKey, message.probe);
        this.again();
        return;
      case 'go': {
        const { report, index } = message;
        const found = shown && (await shown.results?.placeOf(shown.document, report, index));
        if (found !== undefined) await moveTo(shown!.document, found);
        return;
      }
      case 'toMiss':
        return this.step(message.back);
      case 'reveal':
        if (shown !== undefined)
          await revealLine(shown.document.uri, shown.example?.line ?? shown.cursor.line + 1);
        return;
      case 'openPanel': {
        const line = shown?.example?.entries.at(0)?.detail.line;
        const { id, probe } = shown?.results?.known ?? {};
        const to = [id, line, undefined, undefined, probe];
        await vscode.commands.executeCommand('captious.openPanel', ...to);
        return;
      }
      case 'audit':
        await vscode.commands.executeCommand('captious.audit', shown?.document.uri);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        showStatus(vscode.l10n.t('Copied.'), 3000);
        return;
      case 'defect':
        this.parts.log.error(`In the side panel: ${message.message}`);
        return;
    }
  }

  private begin(): void {
    this.rest();
    if (!this.view.visible) return;
    this.requests.restart();
    this.sent = {};
    this.follower.start();
    const { marks, datasets, runs } = this.parts;
    const renew = () => {
      this.results = undefined;
      this.again();
    };
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor || textEditor.document === this.place?.document)
          this.follow(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) this.follow(editor);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.place?.document) this.again();
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document !== this.place?.document) return;
        this.place = undefined;
        this.again();
      }),
      marks.onDidChange(renew),
      datasets.onDidChange(() => this.again()),
      runs.onDidChange(() => this.again()),
    ];
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const editor = activeTextEditor ?? (this.place === undefined ? visibleTextEditors.at(0) : undefined);
    if (editor !== undefined) this.follow(editor);
    if (this.place?.document.isClosed === true) this.place = undefined;
    this.again();
  }

  private follow(editor: vscode.TextEditor): void {
    // VS Code also reports the Output panel and the views' input fields as editors, without a column.
    if (editor.viewColumn === undefined) return;
    this.place = { document: editor.document, cursor: editor.selection.active };
    this.again();
  }

  private again(): void {
    this.follower.move(this.place);
  }

  /** Reads the results at a place. Returns a function that sends the results to the page. */
  private async look(place: Place | undefined): Promise<() => void> {
    let problem: string | undefined;
    let results: Results | undefined;
    let example: SideExample | null = null;
    try {
      results = place && (await this.resultsOf(place.document));
      if (place !== undefined && results !== undefined)
        example = await results.example(place.document, place.cursor);
    } catch (error) {
      problem = trouble(error);
      this.results = undefined;
      this.parts.log.warn(messageOf(error));
    }
    return () => {
      this.shown = place && { ...place, results, example };
      const state = this.stateOf(place, results, problem);
      this.post({ type: 'state', state });
      this.post({ type: 'example', line: (place?.cursor.line ?? 0) + 1, example });
      // Without reports, the page removes the example. The next example must then be sent even if it is the same.
      if (state.reports.length === 0) delete this.sent.example;
    };
  }

  private async resultsOf(document: vscode.TextDocument): Promise<Results | undefined> {
    const { marks, open } = this.parts;
    await marks.load();
    const all = marks.latest(document);
    const wanted = this.parts.memory.get<string>(probeKey);
    const known = all.find(({ probe }) => probe === wanted) ?? all.at(0);
    if (known === undefined) return undefined;
    const key = JSON.stringify([document.uri.toString(), known.id, known.probe]);
    if (this.results?.key !== key) this.results = { key, opened: Results.open(known, open, marks) };
    return this.results.opened;
  }

  private stateOf(
    place: Place | undefined,
    results: Results | undefined,
    problem = results?.problem,
  ): SideState {
    const { datasets, marks, runs } = this.parts;
    const { isTrusted } = vscode.workspace;
    const all = place === undefined ? [] : marks.latest(place.document);
    const path = place?.document.uri.fsPath;
    return {
      ...(place === undefined ? {} : { file: lastPart(place.document.uri.path) }),
      isDataset: path !== undefined && datasets.has(path),
      isAudited: runs.all.some((run) => run.dataset === path && isGoing(run)),
      probes: all.map(({ probe, title }) => ({ id: probe, title })),
      probe: results?.known.probe ?? '',
      reports: results?.reports ?? [],
      can: {
        audit: datasets.canAudit && isTrusted,
        whatIf: isTrusted && (results?.canTry ?? false),
        images: isTrusted,
      },
      ...(problem === undefined ? {} : { problem }),
    };
  }

  private async step(back: boolean): Promise<void> {
    const { shown } = this;
    if (shown?.results === undefined) return;
    const { document, cursor, results, example } = shown;
    const found = await results.miss(document, cursor, example, back);
    if (found !== undefined) await moveTo(document, found);
    else void this.view.webview.postMessage({ type: 'noMiss', back } satisfies ToSide);
  }

  private async answer<N extends RowRequest>(
    name: N,
    ask: RowAsk<N>,
    context: CallContext,
  ): Promise<RowAnswer<N>> {
    const results = await this.results?.opened;
    if (results === undefined) throw new Error('There are no results to ask about.');
    return results.answer(name, ask, context);
  }

  private post(message: ToSide): void {
    const text = JSON.stringify(message);
    if (this.sent[message.type] === text) return;
    this.sent[message.type] = text;
    void this.view.webview.postMessage(message);
  }
}

async function moveTo(document: vscode.TextDocument, placed: PlacedMark): Promise<void> {
  const column = startOf(document, placed) + 1;
  await revealLine(document.uri, placed.line + 1, { column, keepFocus: true });
}
