import * as vscode from 'vscode';
import type { ScoredCaption } from '../protocol/rows';
import type { Datasets } from './datasets';
import { writings } from './lineMoves';
import type { Marks, PlacedMark } from './marks';
import type { RunRecord } from './record';
import { titleOf } from './record';
import * as settings from './settings';

const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{json,jsonc,jsonl,ndjson,csv,tsv,txt,token}' },
];
/** Lenses are made for what is seen and a little around it, and anew when another part is seen. */
const around = 60;
const scrollPauseMs = 120;
/** A line that holds more entries than this is one long line, and no place for words. */
const mostOnALine = 6;

/** What Captious knows about a caption, shown where the caption stands. */
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
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly marks: Marks,
    private readonly datasets: Datasets,
  ) {
    const again = () => {
      this.lensesChanged.fire();
      this.hintsChanged.fire();
    };
    this.subscriptions = [
      this.lensesChanged,
      this.hintsChanged,
      this.grey,
      marks.onDidChange(again),
      datasets.onDidChange(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('captious')) again();
      }),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.concerns(textEditor.document)) this.soon();
      }),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerInlayHintsProvider(selector, this),
      vscode.languages.registerHoverProvider(selector, this),
    ];
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    if (!settings.lensesWanted() || !this.concerns(document)) return [];
    const [from, to] = seen(document);
    const placed = await this.marks.between(document, from, to);
    if (token.isCancellationRequested) return [];
    this.fade(document, placed);
    return [...this.fileLenses(document), ...perLine(placed).map(lensOf)];
  }

  async provideInlayHints(
    document: vscode.TextDocument,
    range: vscode.Range,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlayHint[]> {
    if (!settings.hintsWanted() || this.marks.latest(document) === undefined) return [];
    const placed = await this.marks.between(document, range.start.line, range.end.line);
    return token.isCancellationRequested ? [] : placed.flatMap((mark) => hintOf(document, mark) ?? []);
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    if (this.marks.latest(document) === undefined) return undefined;
    const placed = await this.marks.between(document, position.line, position.line);
    const [first] = placed.length > mostOnALine ? [] : placed;
    return first && new vscode.Hover(hoverText(first), document.lineAt(position.line).range);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private concerns(document: vscode.TextDocument): boolean {
    return this.marks.latest(document) !== undefined || this.datasets.has(document.uri.fsPath);
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.lensesChanged.fire();
    }, scrollPauseMs);
  }

  private fileLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const audit = new vscode.CodeLens(top, {
      title: vscode.l10n.t('$(beaker) Audit'),
      command: 'captious.audit',
      arguments: [document.uri],
    });
    const record = this.marks.latest(document);
    if (record === undefined) return [audit];
    return [
      audit,
      new vscode.CodeLens(top, {
        title: resultWords(record),
        command: 'captious.openPanel',
        arguments: [record.id],
      }),
    ];
  }

  /** What was edited since its score is grey, as long as it is. */
  private fade(document: vscode.TextDocument, placed: readonly PlacedMark[]): void {
    const lines = placed.filter(({ stale }) => stale).map(({ line }) => document.lineAt(line).range);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) editor.setDecorations(this.grey, lines);
    }
  }
}

function resultWords(record: RunRecord): string {
  const titles = record.probes.map((probe) => titleOf(record, probe)).join(', ');
  const day = new Date(record.endedAt ?? record.createdAt).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
  });
  return `${titles} ${day}${record.figure === undefined ? '' : `: ${record.figure}`}`;
}

function seen(document: vscode.TextDocument): [number, number] {
  const ranges = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges);
  if (ranges.length === 0) return [0, Math.min(document.lineCount - 1, 2 * around)];
  const from = Math.min(...ranges.map(({ start }) => start.line));
  const to = Math.max(...ranges.map(({ end }) => end.line));
  return [Math.max(0, from - around), Math.min(document.lineCount - 1, to + around)];
}

function perLine(placed: readonly PlacedMark[]): PlacedMark[] {
  const lines = new Map<number, PlacedMark[]>();
  for (const mark of placed) lines.set(mark.line, [...(lines.get(mark.line) ?? []), mark]);
  return [...lines.values()].filter((marks) => marks.length <= mostOnALine).flat();
}

function lensOf({ mark, line, stale, record }: PlacedMark): vscode.CodeLens {
  const range = new vscode.Range(line, 0, line, 0);
  if (stale)
    return new vscode.CodeLens(range, {
      title: vscode.l10n.t('edited since its score · rescore'),
      command: 'captious.rerun',
      arguments: [record.id],
    });
  return new vscode.CodeLens(range, {
    title: mark.words,
    command: 'captious.openPanel',
    arguments: [record.id, mark.line],
  });
}

function hintOf(
  document: vscode.TextDocument,
  { mark, line, stale }: PlacedMark,
): vscode.InlayHint | undefined {
  if (mark.hint === undefined || stale) return undefined;
  const source = document.lineAt(line).text;
  for (const text of mark.texts.slice(0, 1).flatMap(writings)) {
    const at = source.indexOf(text);
    if (at < 0) continue;
    const end = at + text.length;
    const hint = new vscode.InlayHint(
      new vscode.Position(line, source[end] === '"' ? end + 1 : end),
      mark.hint,
    );
    hint.paddingLeft = true;
    hint.tooltip = mark.words;
    return hint;
  }
  return undefined;
}

const glyphs: Record<ScoredCaption['verdict'], string> = { right: '✓', wrong: '✗', tie: '=', none: '' };

/** A table of what was scored. Captions are text: nothing in them is taken for markup. */
function hoverText({ mark, stale, record }: PlacedMark): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: ['captious.openPanel', 'captious.rerun'] };
  if (stale) text.appendMarkdown(`*${vscode.l10n.t('Edited since it was scored.')}*\n\n`);
  text.appendMarkdown('| | | score | Δ | |\n|---|---|---:|---:|---|\n');
  for (const { label, text: words, score, delta, verdict } of mark.captions) {
    const cells = [
      escapeCell(label),
      escapeCell(words),
      score?.toFixed(4) ?? '',
      delta === undefined ? '' : `${delta < 0 ? '−' : '+'}${Math.abs(delta).toFixed(4)}`,
      glyphs[verdict],
    ];
    text.appendMarkdown(`| ${cells.join(' | ')} |\n`);
  }
  const open = encodeURIComponent(JSON.stringify([record.id, mark.line]));
  const again = encodeURIComponent(JSON.stringify([record.id]));
  text.appendMarkdown(
    `\n[${vscode.l10n.t('Open in panel')}](command:captious.openPanel?${open}) · [${vscode.l10n.t('Rescore')}](command:captious.rerun?${again})`,
  );
  return text;
}

function escapeCell(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s+/g, ' ');
}
