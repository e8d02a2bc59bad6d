import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import type { Mark } from '../../protocol/rows';
import { entryLines, findWhole, opensEntry } from './captionPlace';
import type { ExampleMark, Known, PlacedMark } from './evaluatorMarks';
import { LineMoves } from './lineMoves';
import { TouchedLines } from './touchedLines';
import { groupedBy } from '../../base/lists';

/** How many lines a caption may have moved while the file was closed. */
export const searched = 100;

/** Results with the time in milliseconds when they were written. `AllMarks` shows only the newest of each probe. */
export type DatedResults = Known & { at: number };

export interface MarkSource {
  /** Fires when results are new or changed. */
  readonly onDidChange: vscode.Event<unknown>;
  load(): Promise<void>;
  /** The newest results of each probe, newest first. */
  latest(uri: vscode.Uri): readonly Known[];
  /** The marks on the lines `from` to `to` of the audited file, counted from 1. */
  marks(known: Known, from: number, to: number): Promise<ExampleMark[]>;
  /** The lines of the audited file with the worst examples of a probe. */
  worst(known: Known): Promise<Set<number>>;
  /** A small JPEG of the example's image; undefined if there is no image. Absent in a browser. */
  image?(known: Known, mark: ExampleMark): Promise<Uint8Array | undefined>;
}

export function byProbe(placed: readonly PlacedMark[]): Map<string, PlacedMark[]> {
  return groupedBy(placed, ({ known }) => known.probe);
}

/** The changes since a probe's latest run, as far as the document was open. */
interface Since {
  moves: LineMoves;
  touched: TouchedLines;
  /** Maps the key of a stale mark to the rescored marks that can replace it. */
  fresh: Map<string, ExampleMark[]>;
}

/** Finds the current lines of marks in documents that were edited after the latest run. */
export class Marks implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  /** Maps a document's URI and a probe to the changes. */
  private readonly since = new Map<string, Map<string, Since>>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly source: MarkSource,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      source.onDidChange(() => this.changed.fire(undefined)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const since = this.since.get(document.uri.toString())?.values() ?? [];
        for (const { moves, touched } of since)
          for (const { range, text } of contentChanges)
            for (const kept of [moves, touched]) kept.note(range.start.line, range.end.line, text);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.since.delete(uri.toString())),
    ];
  }

  /** Each probe's newest results, newest first. */
  latest(document: vscode.TextDocument): readonly Known[] {
    return this.source.latest(document.uri);
  }

  load(): Promise<void> {
    return this.source.load();
  }

  /** The marks of all probes on the lines `from` to `to`. */
  async between(document: vscode.TextDocument, from: number, to: number): Promise<PlacedMark[]> {
    await this.load();
    const all = await Promise.all(
      this.latest(document).map((known) => this.betweenBy(known, document, from, to)),
    );
    return all.flat();
  }

  /** The marks of one probe. Stale marks far from edits are excluded if the file may be another version. */
  private async betweenBy(
    known: Known,
    document: vscode.TextDocument,
    from: number,
    to: number,
  ): Promise<PlacedMark[]> {
    const own = (first: number, last: number) => this.source.marks(known, first, last);
    const placed = await this.placedBetween(document, known, own, [from, to], searched);
    if (!known.isOlder) return placed;
    const { touched } = this.sinceOf(document, known);
    return placed.filter(({ stale, line }) => !stale || touched.hasBetween(line, line + entryLines));
  }

  /** Finds the current lines of marks. While the file was closed, a caption moved `moved` lines at most. */
  async placedBetween(
    document: vscode.TextDocument,
    known: Known,
    marksOf: (from: number, to: number) => Promise<ExampleMark[]>,
    [from, to]: readonly [number, number],
    moved: number,
  ): Promise<PlacedMark[]> {
    const { moves } = this.sinceOf(document, known);
    try {
      const marks = await marksOf(Math.max(1, moves.before(from) + 1 - moved), moves.before(to) + 1 + moved);
      return marks
        .map((mark) => this.placed(document, known, mark))
        .filter(({ line }) => line >= from && line <= to);
    } catch (error) {
      this.log.warn(messageOf(error));
      return [];
    }
  }

  /** The lines of the audited file with the worst examples, by probe. */
  async worst(document: vscode.TextDocument): Promise<Map<string, Set<number>>> {
    await this.load();
    return new Map(
      await Promise.all(
        this.latest(document).map(async (known) => {
          try {
            return [known.probe, await this.source.worst(known)] as const;
          } catch (error) {
            this.log.warn(messageOf(error));
            return [known.probe, new Set<number>()] as const;
          }
        }),
      ),
    );
  }

  /** A small image of the example; undefined if it cannot be read. The scores are shown even without an image. */
  async image({ known, mark }: PlacedMark): Promise<Uint8Array | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    try {
      return await this.source.image?.(known, mark);
    } catch (error) {
      this.log.warn(messageOf(error));
      return undefined;
    }
  }

  /** The mark with its current line, or the rescored mark that replaces it. */
  placed(document: vscode.TextDocument, known: Known, mark: ExampleMark): PlacedMark {
    const { moves, fresh } = this.sinceOf(document, known);
    return withFresh(document, fresh, { ...place(document, mark, moves), known });
  }

  /** Converts a current line number to the line number in the audited file. Both numbers start at 0. */
  lineBefore(document: vscode.TextDocument, known: Known, line: number): number {
    return this.sinceOf(document, known).moves.before(line);
  }

  /** The marks of captions that were edited and not rescored. */
  async edited(document: vscode.TextDocument): Promise<PlacedMark[]> {
    await this.load();
    const all = await Promise.all(this.latest(document).map((known) => this.editedBy(known, document)));
    return all.flat();
  }

  private async editedBy(known: Known, document: vscode.TextDocument): Promise<PlacedMark[]> {
    const last = document.lineCount - 1;
    const edited = new Map<string, PlacedMark>();
    for (const { from, to } of this.sinceOf(document, known).touched.ranges(searched)) {
      const range = [Math.max(0, from - entryLines), Math.min(to, last)] as const;
      for (const placed of await this.betweenBy(known, document, ...range))
        if (placed.stale) edited.set(keyOf(placed.mark), placed);
    }
    return [...edited.values()];
  }

  /** Stores one probe's new scores of edited captions. They replace the stale marks on the captions' lines. */
  async learn(
    document: vscode.TextDocument,
    known: Known,
    edited: readonly PlacedMark[],
    scored: readonly ExampleMark[],
  ): Promise<void> {
    for (const line of new Set(edited.map((placed) => placed.line))) {
      const old = edited.filter((placed) => placed.line === line);
      // Unedited captions on the line are also scored, but keep their marks.
      const others = new Set(
        (await this.betweenBy(known, document, line, line)).flatMap(({ mark, stale }) =>
          stale ? [] : [wordsOf(mark)],
        ),
      );
      const own = scored.filter((mark) => mark.line - 1 === line && !others.has(wordsOf(mark)));
      for (const [i, mark] of own.slice(0, old.length).entries()) {
        const { fresh } = this.sinceOf(document, known);
        const key = keyOf(old[i].mark);
        fresh.set(key, [...(fresh.get(key) ?? []), mark]);
      }
    }
    this.changed.fire(undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The changes since a probe's latest run. A new run starts without changes. */
  private sinceOf(document: vscode.TextDocument, { id, probe }: Known): Since {
    const key = document.uri.toString();
    const probes = this.since.get(key) ?? new Map<string, Since>();
    this.since.set(key, probes);
    let since = probes.get(probe);
    if (since?.moves.run !== id) {
      since = { moves: new LineMoves(id), touched: new TouchedLines(), fresh: new Map() };
      probes.set(probe, since);
    }
    return since;
  }
}

function keyOf(mark: Mark): string {
  return `${mark.line} ${wordsOf(mark)}`;
}

function wordsOf({ texts }: Mark): string {
  return JSON.stringify(texts);
}

/** The rescored mark if the document still contains its text, otherwise the original mark. */
function withFresh(
  document: vscode.TextDocument,
  fresh: ReadonlyMap<string, readonly ExampleMark[]>,
  placed: Omit<PlacedMark, 'fresh'>,
): PlacedMark {
  if (!placed.stale) return { ...placed, fresh: false };
  const scored = fresh.get(keyOf(placed.mark))?.findLast(({ texts }) => holds(document, placed.line, texts));
  if (scored === undefined) return { ...placed, fresh: false };
  const { index } = placed.mark;
  return { ...placed, mark: index === undefined ? scored : { ...scored, index }, stale: false, fresh: true };
}

function place(
  document: vscode.TextDocument,
  mark: ExampleMark,
  moves: LineMoves,
): Pick<PlacedMark, 'mark' | 'line' | 'stale'> {
  const { texts } = mark;
  const last = document.lineCount - 1;
  const at = Math.min(Math.max(0, moves.after(mark.line - 1)), last);
  if (texts.length === 0 || holds(document, at, texts)) return { mark, line: at, stale: false };
  for (let distance = 1; distance <= searched; distance++) {
    for (const line of [at - distance, at + distance]) {
      if (line >= 0 && line <= last && holds(document, line, texts)) return { mark, line, stale: false };
    }
  }
  return { mark, line: at, stale: true };
}

/** Whether the entry that starts on this line contains all the texts, plain or escaped. */
function holds(document: vscode.TextDocument, line: number, texts: readonly string[]): boolean {
  const end = Math.min(document.lineCount - 1, line + texts.length + 8);
  const first = document.lineAt(line).text;
  if (!texts.some((text) => findWhole(first, text) !== undefined) && !opensEntry(first)) return false;
  const whole = document.getText(new vscode.Range(line, 0, end, document.lineAt(end).text.length));
  return texts.every((text) => findWhole(whole, text) !== undefined);
}
