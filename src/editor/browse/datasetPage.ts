import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Serve, serving } from '../../base/calls';
import { messageOf } from '../../base/errors';
import { isFolder } from '../../base/files/isFile';
import { fileOf } from '../../dataset/parts/fileOf';
import type { Reader } from '../../process/readerClient';
import {
  type BrowsedExample,
  datasetPageRequests,
  type FromDatasetPage,
  fromDatasetPage,
  onlyFirst,
  type ToDatasetPage,
} from '../../protocol/parts/browsed';
import { trouble } from '../messages';
import { showError, showStatus } from '../notify';
import { openPage, PageRequests } from '../panel/page';
import { revealLine } from '../panel/reveal';
import * as settings from '../settings';
import type { AllMarks } from '../text/allMarks';
import type { Known } from '../text/evaluatorMarks';

export interface DatasetPageParts {
  extensionUri: vscode.Uri;
  reader: Reader;
  results: AllMarks;
  log: vscode.LogOutputChannel;
}

/** A report whose results the page can show. */
interface Shown {
  known: Known;
  report: string;
  evaluator: string;
}

/** How long changes of files are collected, because a run or a download changes many. */
const collectMs = 300;

/** Controls the page that lists the examples of a dataset. */
export class DatasetPage implements vscode.Disposable {
  private readonly requests: PageRequests;
  private readonly disposables: vscode.Disposable[];
  private reading = 0;
  private shown = new Map<string, Shown>();
  private timer: NodeJS.Timeout | undefined;
  private isReady = false;
  /** The id of the example that the page opens next. */
  private wanted: string | undefined;
  /** The list that the page shows. */
  private last = { report: '' };

  constructor(
    private readonly uri: vscode.Uri,
    private readonly webview: vscode.Webview,
    private readonly parts: DatasetPageParts,
  ) {
    const { extensionUri } = parts;
    const serve = this.serving();
    this.requests = new PageRequests(webview, (name, ask, context) =>
      serve(name, ask, context).catch((error: unknown) => {
        throw new Error(trouble(error), { cause: error });
      }),
    );
    const folder = isFolder(uri.fsPath) ? uri.fsPath : dirname(uri.fsPath);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(
        vscode.Uri.file(folder),
        folder === uri.fsPath ? '**/*' : basename(uri.fsPath),
      ),
    );
    const changed = () => this.later(true);
    this.disposables = [
      webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      ...[watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed)],
      parts.results.onDidChange(() => this.later(false)),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      openPage(webview, {
        extensionUri,
        name: 'dataset-view',
        root: 'dataset',
        memory: null,
        images: 'blob:',
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.requests.end();
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Selects an example and scrolls to it, as soon as the page has read it. */
  openAt(example: string): void {
    this.wanted = example;
    if (this.isReady) void this.show();
  }

  private later(isChanged: boolean): void {
    if (isChanged) this.reading++;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.show(), collectMs);
  }

  private async receive(value: unknown): Promise<void> {
    try {
      if (!this.requests.hear(value)) await this.handle(fromDatasetPage(value, ''));
    } catch (error) {
      this.parts.log.error(messageOf(error));
      void showError(trouble(error));
    }
  }

  private async handle(message: FromDatasetPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.requests.restart();
        return this.show();
      case 'audit':
        await vscode.commands.executeCommand('captious.audit', this.uri);
        return;
      case 'reopen':
        await vscode.commands.executeCommand('workbench.action.reopenWithEditor');
        return;
      case 'reveal': {
        const { line, part } = await this.example(message);
        await revealLine(vscode.Uri.file(fileOf(this.uri.fsPath, part)), line);
        return;
      }
      case 'openPanel': {
        const { result } = await this.example(message);
        const { known, evaluator } = this.shown.get(keyOf(message.report))!;
        const to = [known.id, undefined, undefined, evaluator, known.probe, result?.index];
        await vscode.commands.executeCommand('captious.openPanel', ...to);
        return;
      }
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        showStatus(vscode.l10n.t('Copied.'), 3000);
        return;
      case 'defect':
        this.parts.log.error(`In the list of a dataset: ${message.message}`);
        return;
    }
  }

  private async show(): Promise<void> {
    const { results } = this.parts;
    const message: ToDatasetPage = {
      ...{ type: 'show', name: basename(this.uri.fsPath), reading: this.reading, results: [] },
      canAudit: vscode.workspace.isTrusted,
    };
    try {
      await results.load();
      const shown = new Map<string, Shown>();
      for (const known of results.latest(this.uri))
        for (const { report, evaluator } of await results.reports(known)) {
          const key = `${known.title} · ${evaluator}`;
          shown.set(key, { known, report, evaluator });
          message.results.push({ key, words: known.words });
        }
      this.shown = shown;
    } catch (error) {
      // The dataset is shown without results that cannot be read.
      this.parts.log.warn(messageOf(error));
      void showError(trouble(error));
    }
    if (this.isReady && this.wanted !== undefined) {
      message.example = this.wanted;
      this.wanted = undefined;
    }
    await this.webview.postMessage(message);
  }

  private example(ask: { report: string; index: number }): Promise<BrowsedExample> {
    return this.parts.reader.ask('datasetExample', { ...this.keyed(ask), index: ask.index });
  }

  /** Of reports, the page can name only those that it was sent. */
  private keyed({ report: key }: { report: string }) {
    const isFirst = key.startsWith(onlyFirst);
    const report = this.shown.get(keyOf(key))?.report;
    const path = this.uri.fsPath;
    return { dataset: { path, images: settings.imageFolders(this.uri), isFirst, ...(report && { report }) } };
  }

  private serving(): Serve {
    const { reader } = this.parts;
    return serving(datasetPageRequests, {
      head: async (ask, context) => {
        const head = await reader.ask('datasetHead', this.keyed(ask), context);
        this.last = ask;
        return head;
      },
      lines: ({ selection, offset, limit, ...ask }, context) =>
        reader.ask('datasetLines', { ...this.keyed(ask), selection, offset, limit }, context),
      example: (ask, context) =>
        reader.ask('datasetExample', { ...this.keyed(ask), index: ask.index }, context),
      find: ({ example, ...ask }, context) =>
        reader.ask('datasetFind', { ...this.keyed(ask), example }, context),
      // An image does not depend on a report. The page names the example, in whose row the image may be.
      image: ({ name, side, changed: index = 0 }, context) =>
        reader.ask('datasetImage', { ...this.keyed(this.last), index, name, side }, context),
    });
  }
}

/** The key of the results, without what asks for the first examples. */
function keyOf(report: string): string {
  return report.startsWith(onlyFirst) ? report.slice(onlyFirst.length) : report;
}
