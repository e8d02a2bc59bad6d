import { extname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import type { Words } from '../base/say';
import { isNeverDataset } from './problems/neverDatasets';
import type { Reader } from '../process/readerClient';
import * as settings from './settings';

/** `Datasets` checks only files with these extensions. */
const candidates = [
  '.json',
  '.jsonc',
  '.jsonl',
  '.ndjson',
  '.csv',
  '.tsv',
  '.parquet',
  '.arrow',
  '.feather',
  '.tar',
  '.token',
];
const pattern = `**/*{${candidates.join(',')}}`;
/** File names that suggest captions. After activation, a workspace without such a file is not searched. */
const telling = '**/{*.jsonl,*.csv,*.tsv,*.parquet,*.arrow,*captions*.json,*dataset*.json}';
export const notLookedInto = '**/{node_modules,.git,.vscode,dist,out,build,.venv}/**';
const mostFiles = 200;
/** Captious searches for datasets this many milliseconds after activation, so that the editor's start stays fast. */
const afterMs = 1500;

/** Finds dataset files, so that menus can offer an audit for them. */
export class Datasets implements vscode.Disposable {
  readonly canAudit = true;
  private readonly known = new Map<string, Promise<boolean>>();
  private readonly found = new Set<string>();
  private readonly readings = new Map<string, Words>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const again = (uri: vscode.Uri) => {
      this.known.delete(uri.fsPath);
      const before = this.readings.get(uri.fsPath);
      void this.check(uri).then(() => {
        if (this.readings.get(uri.fsPath) !== before) this.changed.fire(undefined);
      });
    };
    this.subscriptions.push(
      this.changed,
      watcher,
      watcher.onDidCreate(again),
      watcher.onDidChange(again),
      watcher.onDidDelete((uri) => {
        this.known.delete(uri.fsPath);
        if (this.found.delete(uri.fsPath)) this.tell();
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        void this.check(uri);
      }),
    );
    // Files that were open before the activation cause no open event, so they are checked now.
    setImmediate(() => {
      for (const { uri } of vscode.workspace.textDocuments) void this.check(uri);
    });
    this.timer = setTimeout(() => {
      void this.lookAround();
    }, afterMs);
  }

  /** Whether an earlier check found that the file is a dataset. Does not read the file. */
  has(path: string): boolean {
    return this.found.has(path);
  }

  /** A description of the format that `check` recognised in the file. */
  readsAs(path: string): Words | undefined {
    return this.readings.get(path);
  }

  /** Whether a file may be a dataset, by its name alone. */
  isCandidate({ scheme, fsPath }: vscode.Uri, also: readonly string[] = []): boolean {
    const extensions = [...candidates, ...also];
    return scheme === 'file' && extensions.includes(extname(fsPath).toLowerCase()) && !isNeverDataset(fsPath);
  }

  /**
   * Whether a file is a dataset. Reads the file once, and again after it has changed. `also`: further extensions, for
   * a file that the user pointed to.
   */
  async check(uri: vscode.Uri, also: readonly string[] = []): Promise<boolean> {
    if (!this.isCandidate(uri, also)) return false;
    const path = uri.fsPath;
    let answer = this.known.get(path);
    if (answer === undefined) {
      answer = this.look(uri);
      this.known.set(path, answer);
    }
    const isDataset = await answer;
    if (isDataset && !this.found.has(path)) {
      this.found.add(path);
      this.tell();
    }
    return isDataset;
  }

  /** The workspace's datasets, sorted by path. */
  async inWorkspace(): Promise<vscode.Uri[]> {
    const files = await vscode.workspace.findFiles(pattern, notLookedInto, mostFiles);
    const found: vscode.Uri[] = [];
    for (const file of files) if (await this.check(file)) found.push(file);
    return found.sort((a, b) => (a.fsPath < b.fsPath ? -1 : 1));
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async lookAround(): Promise<void> {
    if ((await vscode.workspace.findFiles(telling, notLookedInto, 1)).length === 0) return;
    const files = await vscode.workspace.findFiles(pattern, notLookedInto, mostFiles);
    for (const file of files) await this.check(file);
  }

  private async look(uri: vscode.Uri): Promise<boolean> {
    try {
      const preview = await this.reader.ask('look', {
        path: uri.fsPath,
        images: settings.imageFolders(uri),
      });
      if (preview === null) this.readings.delete(uri.fsPath);
      else this.readings.set(uri.fsPath, preview.readsAs);
      return preview !== null;
    } catch (error) {
      this.log.warn(`${uri.fsPath}: ${messageOf(error)}`);
      return false;
    }
  }

  private tell(): void {
    // Menus search this list for the path of a file. For a local file, VS Code uses the native path; for a remote
    // file, the path of the URI.
    const paths = [...this.found].flatMap((path) => [path, vscode.Uri.file(path).path]);
    void vscode.commands.executeCommand('setContext', 'captious.datasets', [...new Set(paths)]);
    this.changed.fire(undefined);
  }
}
