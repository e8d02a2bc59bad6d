import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../../base/errors';
import type { Reader } from '../../process/readerClient';
import type { SubmittedRun } from '../../protocol/service';
import { notLookedInto } from '../datasets';
import { trouble } from '../messages';

const pattern = '**/submission.json';
const mostFiles = 100;
/** Milliseconds between two readings. Shared file systems do not notify a watcher of changes by other hosts. */
const againMs = 10_000;
/** A reading should take at most this fraction of the pause after it, so slow readings get longer pauses. */
const share = 0.05;
/** The longest pause between two readings, as a multiple of the usual pause. */
const mostPauses = 6;

/** A run that was submitted to a cluster. `path` is the path of its `submission.json`. */
export interface Submission {
  path: string;
  run?: SubmittedRun;
  /** Why the file cannot be read. */
  problem?: string;
}

type Visibility = Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;

/** Finds the workspace's submitted runs, and follows them while the view is visible. */
export class Submissions implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private readonly known = new Map<string, Submission>();
  /** Paths to read next: found, created, changed or deleted since the last reading. */
  private readonly fresh = new Set<string>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private view: Pick<Visibility, 'visible'> = { visible: false };
  private hasSearched = false;
  private isReading = false;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reader: Pick<Reader, 'ask'>,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
    private readonly pauseMs = againMs,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const again = ({ scheme, fsPath }: vscode.Uri): void => {
      if (scheme !== 'file') return;
      this.fresh.add(fsPath);
      this.follow();
    };
    this.subscriptions.push(
      this.changed,
      watcher,
      watcher.onDidCreate(again),
      watcher.onDidChange(again),
      watcher.onDidDelete(again),
    );
  }

  /** All submissions, newest first. */
  get all(): readonly Submission[] {
    const timeOf = ({ run }: Submission): number => run?.submittedAt ?? 0;
    return [...this.known.values()].sort((a, b) => timeOf(b) - timeOf(a));
  }

  followWhileVisible(view: Visibility): void {
    this.view = view;
    this.subscriptions.push(view.onDidChangeVisibility(() => this.follow()));
    this.follow();
  }

  dispose(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private follow(): void {
    clearTimeout(this.timer);
    if (!this.view.visible || this.isReading || this.isOver) return;
    this.isReading = true;
    const began = Date.now();
    void this.read()
      .catch((error: unknown) => this.log.warn(messageOf(error)))
      .finally(() => {
        this.isReading = false;
        if (this.isOver) return;
        if (this.fresh.size > 0) this.follow();
        else if (this.view.visible && this.unfinished().length > 0)
          this.timer = setTimeout(() => this.follow(), this.pauseAfter(Date.now() - began));
      });
  }

  private pauseAfter(readMs: number): number {
    return Math.min(mostPauses * this.pauseMs, Math.max(this.pauseMs, readMs / share));
  }

  private unfinished(): string[] {
    return this.all.filter(({ run }) => run?.isMerged === false).map(({ path }) => path);
  }

  private async read(): Promise<void> {
    if (!this.hasSearched) {
      this.hasSearched = true;
      const files = await vscode.workspace.findFiles(pattern, notLookedInto, mostFiles);
      for (const { scheme, fsPath } of files) if (scheme === 'file') this.fresh.add(fsPath);
    }
    const paths = new Set([...this.fresh, ...this.unfinished()]);
    this.fresh.clear();
    for (const path of paths) await this.readOne(path);
    // Fires even without changes, because the view shows how long ago a submission changed.
    if (paths.size > 0 && !this.isOver) this.changed.fire(undefined);
  }

  private async readOne(path: string): Promise<void> {
    try {
      const run = await this.reader.ask('submitted', { path });
      if (run === null) this.known.delete(path);
      else this.known.set(path, { path, run });
    } catch (error) {
      this.log.warn(`${path}: ${messageOf(error)}`);
      // Shows only errors in the file itself. After other errors, such as the end of the reading process, the next
      // attempt may succeed.
      if (error instanceof CaptiousError && error.kind === 'input')
        this.known.set(path, { path, problem: trouble(error) });
    }
  }
}
