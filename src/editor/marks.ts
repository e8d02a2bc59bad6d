import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { Mark } from '../protocol/rows';
import { isIn, LineMoves } from './lineMoves';
import type { Reader } from './reader';
import type { RunRecord } from './record';
import type { Runs } from './runs';

/** How far a row may have moved unseen, while the file was not open. */
const searched = 100;

/** A mark where it stands in the document as it is now. */
export interface PlacedMark {
  mark: Mark;
  /** From 0. */
  line: number;
  /** The texts that were scored are no longer what stands there. */
  stale: boolean;
  record: RunRecord;
}

/** Marks of the latest runs, placed into documents that have been edited since. */
export class Marks implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  /** New results, or others than before. */
  readonly onDidChange = this.changed.event;
  private readonly moves = new Map<string, LineMoves>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly runs: Runs,
    private readonly reader: Reader,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      runs.onDidChange((record) => {
        if (record === undefined || record.state === 'done') this.changed.fire(undefined);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const moves = this.moves.get(document.uri.toString());
        for (const { range, text } of contentChanges) moves?.note(range.start.line, range.end.line, text);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.moves.delete(uri.toString())),
    ];
  }

  /** The newest finished run over a document, where there is one. */
  latest(document: vscode.TextDocument): RunRecord | undefined {
    return document.uri.scheme === 'file' ? this.runs.latest(document.uri.fsPath) : undefined;
  }

  async between(document: vscode.TextDocument, from: number, to: number): Promise<PlacedMark[]> {
    await this.runs.load();
    const record = this.latest(document);
    const report = record && this.runs.reportPaths(record).at(0);
    if (record === undefined || report === undefined) return [];
    const moves = this.movesOf(document, record);
    try {
      const { marks } = await this.reader.ask(
        {
          type: 'marks',
          report,
          from: Math.max(1, moves.before(from) + 1 - searched),
          to: moves.before(to) + 1 + searched,
        },
        record.images,
      );
      return marks
        .map((mark) => ({ mark, record, ...place(document, mark, moves.after(mark.line - 1)) }))
        .filter(({ line }) => line >= from && line <= to);
    } catch (error) {
      this.log.warn(messageOf(error));
      return [];
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Moves are counted from the state the run has seen: a newer run starts anew. */
  private movesOf(document: vscode.TextDocument, { id }: RunRecord): LineMoves {
    const key = document.uri.toString();
    let moves = this.moves.get(key);
    if (moves?.run !== id) {
      moves = new LineMoves(id);
      this.moves.set(key, moves);
    }
    return moves;
  }
}

function place(
  document: vscode.TextDocument,
  { texts }: Mark,
  expected: number,
): { line: number; stale: boolean } {
  const last = document.lineCount - 1;
  const at = Math.min(Math.max(0, expected), last);
  if (texts.length === 0 || holds(document, at, texts)) return { line: at, stale: false };
  for (let distance = 1; distance <= searched; distance++) {
    for (const line of [at - distance, at + distance]) {
      if (line >= 0 && line <= last && holds(document, line, texts)) return { line, stale: false };
    }
  }
  return { line: at, stale: true };
}

/** Whether a line, or the few after it that belong to the same entry, holds the texts, however they are written there. */
function holds(document: vscode.TextDocument, line: number, texts: readonly string[]): boolean {
  const end = Math.min(document.lineCount - 1, line + texts.length + 8);
  const first = document.lineAt(line).text;
  if (!texts.some((text) => isIn(first, text)) && !/[{[]\s*$/.test(first)) return false;
  const whole = document.getText(new vscode.Range(line, 0, end, document.lineAt(end).text.length));
  return texts.every((text) => isIn(whole, text));
}
