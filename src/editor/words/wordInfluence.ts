import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import { localNumber } from '../messages';
import { inert } from '../notify';
import type { Marks } from '../text/marks';
import type { RunMarks, WordInfluences } from '../text/runMarks';
import { shadesIn, type ShadedWord } from './wordShades';
import type { PlacedMark } from '../text/evaluatorMarks';

/** Milliseconds without typing or scrolling before captions are scored. */
const pauseMs = 400;
const memoryKey = 'captious.wordInfluence';
/** How many lines below the visible ones an entry may reach whose caption is searched. */
const linesBelow = 200;
/** How many captions' influences are kept in memory. */
const mostKept = 500;

/** Marks the words of visible scored captions by their influence on the score. Off until the user turns it on. */
export class WordInfluence implements vscode.Disposable {
  private readonly looks = looksOf();
  private readonly subscriptions: vscode.Disposable[];
  private readonly known = new Map<string, WordInfluences>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The update in progress. A newer one cancels it and waits for its end, so there is at most one. */
  private updating: AbortController | undefined;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly marks: Marks,
    private readonly source: Pick<RunMarks, 'wordInfluence'>,
    private readonly memory: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const soon = () => this.soon();
    this.subscriptions = [
      ...Object.values(this.looks),
      vscode.commands.registerCommand('captious.toggleWordInfluence', () => this.toggle()),
      vscode.window.onDidChangeVisibleTextEditors(soon),
      vscode.window.onDidChangeTextEditorVisibleRanges(soon),
      vscode.workspace.onDidChangeTextDocument(soon),
      marks.onDidChange(soon),
    ];
    this.soon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.updating?.abort();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private get isOn(): boolean {
    return this.memory.get(memoryKey) === true;
  }

  /** Returns how many words are marked. */
  private async toggle(): Promise<number> {
    await this.memory.update(memoryKey, !this.isOn);
    return this.update();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.updating?.abort();
    if (this.isOn) this.timer = setTimeout(() => void this.update(), pauseMs);
  }

  private update(): Promise<number> {
    clearTimeout(this.timer);
    this.updating?.abort();
    const own = (this.updating = new AbortController());
    const updated = this.ended.then(() => this.showAll(own));
    // A failed update does not stop the next one.
    this.ended = updated.catch(() => undefined);
    return updated;
  }

  private async showAll(own: AbortController): Promise<number> {
    let marked = 0;
    for (const editor of vscode.window.visibleTextEditors) {
      if (own.signal.aborted) return marked;
      marked += this.isOn ? await this.show(editor, own.signal) : this.draw(editor, []);
    }
    return marked;
  }

  private async show(editor: vscode.TextEditor, signal: AbortSignal): Promise<number> {
    const { document } = editor;
    if (document.uri.scheme !== 'file' || this.marks.latest(document).length === 0) return 0;
    const { version } = document;
    const shades: ShadedWord[] = [];
    const seen = new Set<string>();
    let marked = 0;
    for (const { start, end } of editor.visibleRanges) {
      const area = new vscode.Range(start.line, 0, end.line + linesBelow, 0);
      // A large document would be copied as a whole.
      const [text, before] = [document.getText(area), document.offsetAt(area.start)];
      for (const placed of await this.marks.between(document, start.line, end.line)) {
        const [caption] = placed.mark.texts;
        const key = JSON.stringify([placed.line, caption]);
        if (caption === undefined || placed.stale || seen.has(key)) continue;
        const words = await this.wordsOf(placed, caption, signal);
        if (signal.aborted || document.version !== version) return marked;
        if (words === undefined) continue;
        seen.add(key);
        const from = document.offsetAt(new vscode.Position(placed.line, 0)) - before;
        for (const shade of shadesIn(text, from, caption, words))
          shades.push({ ...shade, start: shade.start + before, end: shade.end + before });
        // Shown as they arrive.
        marked = this.draw(editor, shades);
      }
    }
    return shades.length === 0 ? this.draw(editor, []) : marked;
  }

  private async wordsOf(
    { known, mark }: PlacedMark,
    caption: string,
    signal: AbortSignal,
  ): Promise<WordInfluences | undefined> {
    const key = JSON.stringify([known.id, mark.evaluators?.at(0)?.report, caption]);
    const kept = this.known.get(key);
    if (kept !== undefined) return kept;
    try {
      const words = await this.source.wordInfluence(known, mark, caption, signal);
      if (words !== undefined) this.known.set(key, words);
      for (const oldest of this.known.keys()) if (this.known.size > mostKept) this.known.delete(oldest);
      return words;
    } catch (error) {
      if (!signal.aborted) this.log.warn(messageOf(error));
      return undefined;
    }
  }

  private draw(editor: vscode.TextEditor, shades: readonly ShadedWord[]): number {
    const { document } = editor;
    for (const [name, look] of Object.entries(this.looks))
      editor.setDecorations(
        look,
        shades
          .filter((shade) => nameOf(shade) === name)
          .map(({ start, end, influence }) => ({
            range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
            hoverMessage: inert(
              vscode.l10n.t(
                'Influence on the score: {0} (the score with this word minus the score without it)',
                localNumber(`${influence < 0 ? '−' : '+'}${Math.abs(influence).toFixed(4)}`),
              ),
            ),
          })),
      );
    return shades.length;
  }
}

type Name = 'raises' | 'raisesStrongly' | 'lowers' | 'lowersStrongly';

function nameOf({ raises, strong }: ShadedWord): Name {
  return raises ? (strong ? 'raisesStrongly' : 'raises') : strong ? 'lowersStrongly' : 'lowers';
}

/** Colour and underline both say the direction; the underline is thicker for strong influences. */
function looksOf(): Record<Name, vscode.TextEditorDecorationType> {
  const look = (colour: string, line: string) =>
    vscode.window.createTextEditorDecorationType({
      color: new vscode.ThemeColor(colour),
      textDecoration: `underline ${line}; text-underline-offset: 3px`,
    });
  return {
    raises: look('captious.wordRaises', 'solid 1px'),
    raisesStrongly: look('captious.wordRaises', 'solid 3px'),
    lowers: look('captious.wordLowers', 'dashed 1px'),
    lowersStrongly: look('captious.wordLowers', 'dashed 3px'),
  };
}
