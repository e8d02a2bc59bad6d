import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../../base/errors';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { temporaryFolder } from '../../base/files/temporary';
import { byProbe, type Marks } from './marks';
import type { RunMarks } from './runMarks';
import { showStatus } from '../notify';
import * as settings from '../settings';
import { needTrust } from '../trust';
import type { PlacedMark } from './evaluatorMarks';

const statusMs = 8000;
const typingPauseMs = 700;
/** Documents with more characters are rescored when they are saved, but not while the user types. */
const longestWhileTyping = 2_000_000;

/** Rescores edited captions: on request, when the file is saved, or while the user types. */
export class Rescoring implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly marks: Marks,
    private readonly source: RunMarks,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && settings.rescoreWhen(document.uri) === 'type') this.soon(document);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (settings.rescoreWhen(document.uri) !== 'request') void this.quietly(document);
      }),
    ];
  }

  /** Rescores the edited captions, or those on `lines` (from 0). Returns how many examples were scored. */
  rescore(document: vscode.TextDocument, lines?: readonly number[]): Promise<number> {
    const next = this.last.then(() => this.rescoreNow(document, lines));
    this.last = next.catch(() => undefined);
    return next;
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private soon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    if (this.marks.latest(document).length === 0) return;
    const timer = setTimeout(() => {
      this.timers.delete(key);
      const end = document.lineAt(document.lineCount - 1).range.end;
      if (document.offsetAt(end) <= longestWhileTyping) void this.quietly(document);
    }, typingPauseMs);
    this.timers.set(key, timer);
  }

  /** Rescores automatically. Errors are only logged, because half-typed entries often cause errors. */
  private async quietly(document: vscode.TextDocument): Promise<void> {
    const isPossible = this.marks.latest(document).some(({ again }) => again === 'rescore');
    if (!vscode.workspace.isTrusted || !isPossible) return;
    try {
      await this.rescore(document);
    } catch (error) {
      this.log.info(`Not rescored: ${messageOf(error)}`);
    }
  }

  private async rescoreNow(
    document: vscode.TextDocument,
    lines: readonly number[] | undefined,
  ): Promise<number> {
    const all = (await this.marks.edited(document)).filter(({ line }) => lines?.includes(line) ?? true);
    if (all.length === 0) return 0;
    needTrust();
    const groups = probesToRescore(all);
    const leftOut = new Set<string>();
    const failures: unknown[] = [];
    let scored = 0;
    await withFile(document, async (file) => {
      for (const edited of groups) {
        const [{ known }] = edited;
        const wanted = [...new Set(edited.map(({ line }) => line + 1))];
        // A failing evaluator must not prevent the rescoring of another probe.
        const answer = await this.source.rescore(known, file, wanted).catch((error: unknown) => {
          failures.push(error);
          return { marks: [], leftOut: [] };
        });
        for (const reason of answer.leftOut) leftOut.add(reason);
        scored += answer.marks.length;
        await this.marks.learn(document, known, edited, answer.marks);
      }
    });
    if (failures.length > 0) throw failures[0];
    if (leftOut.size > 0) {
      const what = vscode.l10n.t('Not scored: {0}.', [...leftOut].join('; '));
      if (scored === 0) throw new CaptiousError('input', what, { at: place(document, groups[0][0]) });
      this.log.info(what);
      showStatus(what, statusMs);
    }
    return scored;
  }
}

/**
 * Groups edited captions by probe. Results that cannot be rescored are excluded, except if there are no other
 * results: the user then sees why rescoring fails.
 */
function probesToRescore(all: readonly PlacedMark[]): PlacedMark[][] {
  const groups = [...byProbe(all).values()];
  const possible = groups.filter(([{ known }]) => known.again === 'rescore');
  return possible.length > 0 ? possible : groups;
}

function place(document: vscode.TextDocument, { line }: PlacedMark): string {
  return `${document.uri.fsPath}:${line + 1}`;
}

/** Calls `work` with a file of the document's text: the saved file, or a temporary file if there are unsaved edits. */
async function withFile<T>(document: vscode.TextDocument, work: (file: string) => Promise<T>): Promise<T> {
  if (!document.isDirty) return work(document.uri.fsPath);
  const folder = await temporaryFolder('rescore');
  try {
    const file = join(folder, basename(document.uri.fsPath));
    await replaceFile(file, document.getText(), ownerOnly);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
