import { inARow, say, type Words } from '../../base/say';
import { largest, smallest } from '../../base/extent';
import * as vscode from 'vscode';
import { hoverText } from './hoverText';
import { isBeyondLenses } from './lensLimit';
import { allResults, hintWords, isOutdated, lensesOf, type Naming, WholeFiles, withName } from './lensText';
import { LineEnds } from './lineEnds';
import { entryLines, placeOf } from './captionPlace';
import { isMissed, perLine, type PlacedMark } from './evaluatorMarks';
import { byProbe, type Marks } from './marks';
import { fileResults } from './resultPick';
import { hintsWanted, lensLevel } from './textSettings';
import { localized } from '../messages';
import { codeLens, inert, inlayHint } from '../notify';
import { groupedBy } from '../../base/lists';

const pattern = '**/*.{json,jsonc,jsonl,ndjson,csv,tsv,txt,token}';
/** How many lines above and below the visible lines have lenses. */
const around = 60;
const scrollPauseMs = 120;
/** Milliseconds to wait for results before lenses are shown without them. */
const patienceMs = 100;

export interface KnownDatasets {
  /** Whether the extension can start runs. In a browser, it can only show reports. */
  readonly canAudit: boolean;
  has(path: string): boolean;
  /** The recognised format of a dataset, such as "NegBench MCQ, 4 options, 1 right". */
  readsAs(path: string): Words | undefined;
  readonly onDidChange: vscode.Event<unknown>;
}

export interface FoundProblems {
  problemCount(uri: vscode.Uri): readonly [count: number, entries: number];
  readonly onDidChange: vscode.Event<unknown>;
}

/** Shows results in the text: CodeLens, inlay hints, hovers. */
export class TextHelp
  implements vscode.CodeLensProvider, vscode.InlayHintsProvider, vscode.HoverProvider, vscode.Disposable
{
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly hintsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.hintsChanged.event;
  private readonly subscriptions: vscode.Disposable[];
  private readonly grey = vscode.window.createTextEditorDecorationType({
    opacity: '0.55',
    isWholeLine: true,
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly late = new Set<string>();
  /** The last lenses of a document's examples, which stay until newer ones are there. */
  private readonly shown = new WeakMap<vscode.TextDocument, { version: number; lenses: vscode.CodeLens[] }>();
  private readonly whole: WholeFiles;

  constructor(
    private readonly marks: Marks,
    private readonly datasets: KnownDatasets,
    private readonly problems: FoundProblems,
  ) {
    this.whole = new WholeFiles(marks);
    const again = () => {
      this.lensesChanged.fire();
      this.hintsChanged.fire();
    };
    const selector = datasets.canAudit ? { scheme: 'file', pattern } : { pattern };
    this.subscriptions = [
      this.lensesChanged,
      this.hintsChanged,
      this.grey,
      marks.onDidChange(again),
      datasets.onDidChange(again),
      problems.onDidChange(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('captious')) again();
      }),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.concerns(textEditor.document)) this.soon();
      }),
      new LineEnds((editor) => this.wordsFor(editor), this.lensesChanged.event),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerInlayHintsProvider(selector, this),
      vscode.languages.registerHoverProvider(selector, this),
    ];
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    if (lensLevel() === 'off' || !this.concerns(document)) return [];
    const { version } = document;
    const asked = this.lensesIn(document).then((lenses) => {
      this.shown.set(document, { version, lenses });
      return lenses;
    });
    const key = document.uri.toString();
    // If the previous call returned before the results were there, this call waits for the results.
    const lenses = this.late.delete(key) ? await asked : await Promise.race([asked, retry()]);
    if (token.isCancellationRequested) return [];
    if (lenses === undefined) {
      // Shows the lenses above the file at once, and the lenses of the examples when the results are there. Lenses that
      // vanished until then would move the text, and so cause the next request.
      this.late.add(key);
      void asked.then(() => this.lensesChanged.fire());
      const last = this.shown.get(document);
      return [...this.fileLenses(document), ...(last?.version === document.version ? last.lenses : [])];
    }
    return [...this.fileLenses(document), ...lenses];
  }

  async provideInlayHints(
    document: vscode.TextDocument,
    range: vscode.Range,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlayHint[]> {
    if (!hintsWanted() || this.marks.latest(document).length === 0 || isBeyondLenses(document)) return [];
    const { start, end } = range;
    const placed = await this.marks.between(document, Math.max(0, start.line - entryLines), end.line);
    if (token.isCancellationRequested) return [];
    const naming = await this.namingOf(document);
    const isShared = lensLevel() !== 'off' && (await this.whole.sharedIn(document, naming)) !== undefined;
    const hints =
      lensLevel() === 'off' || isShared
        ? hintsOf(document, placed, naming, false)
        : // A hint would repeat the lens, so a line with one only has a mark, which is there before the lens.
          perLine(placed).flatMap((marks) => hintsOf(document, marks, naming, marks.some(naming.has)));
    return hints.filter(({ position: { line } }) => line >= start.line && line <= end.line);
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    if (this.marks.latest(document).length === 0) return undefined;
    const { line } = position;
    const near = await this.marks.between(document, Math.max(0, line - entryLines), line);
    const all = near.filter((each) => each.line === line || placeOf(document, each)?.line === line);
    const placed = atCursor(document, perLine(all).flat(), position);
    if (placed.length === 0) return undefined;
    let image: Uint8Array | undefined;
    for (const each of placed) image ??= await this.marks.image(each);
    return new vscode.Hover(
      hoverText(document, placed, await this.namingOf(document), image),
      document.lineAt(line).range,
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The lenses that `LineEnds` shows as text. Empty unless the document is too large for VS Code's CodeLens. */
  private async wordsFor({ document }: vscode.TextEditor): Promise<vscode.CodeLens[]> {
    if (lensLevel() === 'off' || !this.concerns(document) || !isBeyondLenses(document)) return [];
    const placed = await this.marks.between(document, ...seen(document));
    const naming = await this.namingOf(document);
    // A document of this size has no hints, so right examples have their text here.
    const own = lensLevel() === 'worst' ? naming : { ...naming, has: () => true };
    return [...this.fileLenses(document), ...this.exampleLenses(document, placed, own)];
  }

  /** One lens if nearly all examples would have the same, or else the lenses of the examples in view. */
  private async lensesIn(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const asked = this.marks.between(document, ...seen(document));
    const naming = await this.namingOf(document);
    const [placed, shared] = await Promise.all([asked, this.whole.sharedIn(document, naming)]);
    if (shared === undefined) return this.exampleLenses(document, placed, naming);
    this.fade(document, placed);
    return [shared];
  }

  private exampleLenses(
    document: vscode.TextDocument,
    placed: readonly PlacedMark[],
    naming: Required<Naming>,
  ): vscode.CodeLens[] {
    this.fade(document, placed);
    return perLine(placed)
      .filter((marks) => marks.some(naming.has))
      .flatMap((marks) => lensesOf(document, marks, naming));
  }

  private async namingOf(document: vscode.TextDocument): Promise<Required<Naming>> {
    const has = await this.whole.chooserOf(document, lensLevel());
    return { probes: this.marks.latest(document).length > 1, has };
  }

  private concerns(document: vscode.TextDocument): boolean {
    return this.marks.latest(document).length > 0 || this.datasets.has(document.uri.fsPath);
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lensesChanged.fire(), scrollPauseMs);
  }

  private fileLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const reading = this.datasets.readsAs(document.uri.fsPath);
    const audit = codeLens(
      top,
      {
        title: vscode.l10n.t('Audit'),
        ...(reading === undefined ? {} : { tooltip: vscode.l10n.t('Format: {0}', localized(reading)) }),
        command: 'captious.audit',
        arguments: [document.uri],
      },
      'beaker',
    );
    const lenses = this.datasets.canAudit ? [audit] : [];
    for (const lens of fileResults(document, top, this.marks.latest(document))) lenses.push(lens);
    const [count, entries] = this.problems.problemCount(document.uri);
    if (count > 0)
      lenses.push(
        codeLens(top, {
          title: localized(
            entries < count
              ? say('editor.problemCountInEntries', count, entries)
              : say('editor.problemCount', count),
          ),
          command: 'workbench.actions.view.problems',
        }),
      );
    return lenses;
  }

  /** Greys out the lines with outdated results. */
  private fade(document: vscode.TextDocument, placed: readonly PlacedMark[]): void {
    const outdated = perLine(placed, Infinity).filter(isOutdated);
    const lines = outdated.map(([{ line }]) => document.lineAt(line).range);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) editor.setDecorations(this.grey, lines);
    }
  }
}

function retry(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs, undefined));
}

function seen(document: vscode.TextDocument): [number, number] {
  const ranges = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges);
  if (ranges.length === 0) return [0, Math.min(document.lineCount - 1, 2 * around)];
  const from = smallest(ranges.map(({ start }) => start.line));
  const to = largest(ranges.map(({ end }) => end.line));
  return [Math.max(0, from - around), Math.min(document.lineCount - 1, to + around)];
}

/** For each probe, the last mark whose caption starts at or before the cursor, or else the probe's first mark. */
function atCursor(
  document: vscode.TextDocument,
  marks: readonly PlacedMark[],
  { line, character }: vscode.Position,
): PlacedMark[] {
  const startsBefore = (each: PlacedMark) => {
    const place = placeOf(document, each);
    return place?.line === line && place.start <= character;
  };
  return [...byProbe(marks).values()].map((own) => own.findLast(startsBefore) ?? own[0]);
}

/** Makes one hint per caption, or a mark if it is wrong and has a lens, even if several probes have results for the caption. */
function hintsOf(
  document: vscode.TextDocument,
  marks: readonly PlacedMark[],
  naming: Naming,
  isBelowLens: boolean,
): vscode.InlayHint[] {
  const placed = marks.flatMap((mark) => {
    const place = mark.stale ? undefined : placeOf(document, mark);
    if (place === undefined) return [];
    const isQuoted = document.lineAt(place.line).text[place.end] === '"';
    return [{ mark, at: new vscode.Position(place.line, isQuoted ? place.end + 1 : place.end) }];
  });
  return [...groupedBy(placed, ({ at }) => `${at.line} ${at.character}`).values()].flatMap((caption) => {
    const own = caption.map(({ mark }) => mark);
    const isMiss = () => own.some(({ mark }) => isMissed(mark));
    const words = isBelowLens ? (isMiss() ? '✗' : undefined) : hintWords(own, naming);
    if (words === undefined) return [];
    const hint = inlayHint(caption[0].at, localized(words));
    hint.paddingLeft = true;
    const all = allResults(own, naming).map(({ name, mark }) => withName(name, mark.words));
    hint.tooltip = inert(localized(inARow(all, '\n')));
    return [hint];
  });
}
