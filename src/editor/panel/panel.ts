import { basename } from 'node:path';
import * as vscode from 'vscode';
import { saveTo } from '../saveTo';
import { CaptiousError, messageOf } from '../../base/errors';
import { say } from '../../base/say';
import {
  type FromPanel,
  fromPanel,
  panelMemory,
  type PanelMemory,
  type PanelState,
  type ReportView,
  type ToPanel,
} from '../../protocol/panel';
import type { Ask } from '../../protocol/rows';
import { readReport } from '../../report/report';
import { openPage } from './page';
import type { Reader } from '../../process/readerClient';
import { type RunRecord, titleOf } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { revealLine } from './reveal';
import { toldApart, viewOf } from '../../rows/panelReport';
import { trouble } from '../messages';
import { inert, showError, showStatus } from '../notify';

export const panelType = 'captious.panel';
/** A picture of a chart is far smaller; more is not one. */
const largestSave = 32 << 20;
const everything: PanelState['can'] = { whatIf: true, export: true };

export interface PanelParts {
  context: vscode.ExtensionContext;
  runs: Runs;
  reader: Reader;
  log: vscode.LogOutputChannel;
}

/** The panels that are open, one for each run or comparison. */
export class Panels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, Panel>();

  constructor(private readonly parts: PanelParts) {}

  show(memory: PanelMemory, beside = false): Panel {
    const key = keyOf(memory);
    const known = this.open.get(key);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    const column = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const webviewPanel = vscode.window.createWebviewPanel(panelType, 'Captious', column);
    return this.adopt(webviewPanel, memory);
  }

  async deserializeWebviewPanel(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const memory = panelMemory(state, '');
      await this.parts.runs.load();
      this.adopt(webviewPanel, memory);
    } catch (error) {
      this.parts.log.warn(`A panel could not be restored: ${messageOf(error)}`);
      webviewPanel.dispose();
    }
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  private adopt(webviewPanel: vscode.WebviewPanel, memory: PanelMemory): Panel {
    const key = keyOf(memory);
    const panel = new Panel(webviewPanel, memory, this.parts);
    this.open.set(key, panel);
    webviewPanel.onDidDispose(() => {
      this.open.delete(key);
      panel.dispose();
    });
    return panel;
  }
}

/** Panels of the same runs are the same panel, however they are filtered. */
function keyOf({ run, compare }: PanelMemory): string {
  return JSON.stringify([run, compare]);
}

type Source = { path: string } & Pick<RunRecord, 'images' | 'evaluators'>;

export class Panel implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  /** Report paths with what their run was ordered with, by the keys that the webview knows; it never names a path itself. */
  private sources = new Map<string, Source>();
  private isReady = false;
  private isOver = false;
  private pending: Extract<ToPanel, { type: 'select' }> | undefined;

  constructor(
    private readonly webviewPanel: vscode.WebviewPanel,
    private readonly memory: PanelMemory,
    private readonly parts: PanelParts,
  ) {
    const { webview } = webviewPanel;
    const icon = (name: string) => vscode.Uri.joinPath(parts.context.extensionUri, 'media', name);
    webviewPanel.iconPath = { light: icon('panel-light.svg'), dark: icon('panel-dark.svg') };
    this.disposables.push(
      webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      // A hidden panel keeps no page: what is sent before the next one is there would be lost.
      webviewPanel.onDidChangeViewState(() => {
        if (!webviewPanel.visible) this.isReady = false;
      }),
      parts.runs.onDidChange((record) => {
        if (record === undefined || this.records().includes(record)) void this.refresh();
      }),
      parts.runs.onDidProgress((record) => {
        const running = parts.runs.progressOf(record);
        if (running && this.isReady && this.records().includes(record))
          void this.post({ type: 'progress', running });
      }),
    );
    this.disposables.push(
      openPage(webview, {
        extensionUri: parts.context.extensionUri,
        name: 'webview',
        root: 'panel',
        memory,
        pictures: 'blob:',
      }),
    );
    void this.refresh().then(() => this.warm());
  }

  reveal(): void {
    this.webviewPanel.reveal();
  }

  /** Brings the example on this line of the dataset file to the front, and the field to try a caption of it. */
  select(line: number, whatIf = false): void {
    this.pending = { type: 'select', line, whatIf };
    if (this.isReady) this.sendPending();
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const disposable of this.disposables) disposable.dispose();
    this.webviewPanel.dispose();
  }

  private records(): RunRecord[] {
    return [this.memory.run, ...this.memory.compare].flatMap((id) => this.parts.runs.byId(id) ?? []);
  }

  private async receive(value: unknown): Promise<void> {
    let message: FromPanel;
    try {
      message = fromPanel(value, '');
    } catch (error) {
      this.parts.log.error(`The panel sent something that is no message: ${messageOf(error)}`);
      return;
    }
    try {
      await this.handle(message);
    } catch (error) {
      this.parts.log.error(messageOf(error));
      void showError(trouble(error));
    }
  }

  private async handle(message: FromPanel): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        await this.refresh();
        this.sendPending();
        return;
      case 'ask':
        await this.post(await this.answer(message.id, message.ask));
        return;
      case 'reveal': {
        const { path, images } = this.source(message.report);
        const { detail } = await this.parts.reader.ask(
          { type: 'detail', report: path, index: message.index },
          images,
        );
        const { dataset } = await readReport(path);
        await revealLine(vscode.Uri.file(dataset.path), detail.line);
        return;
      }
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        showStatus(vscode.l10n.t('Copied.'), 3000);
        return;
      case 'export':
        await vscode.commands.executeCommand('captious.export', this.source(message.report).path);
        return;
      case 'cancel':
        for (const record of this.records()) this.parts.runs.cancel(record);
        return;
      case 'rerun':
        await vscode.commands.executeCommand('captious.resume', this.memory.run);
        return;
      case 'save':
        await save(message.name, message.bytes);
        return;
      case 'defect':
        this.parts.log.error(`In the panel: ${message.message}`);
        return;
    }
  }

  /** Whatever goes wrong, the one who asked is told. */
  private async answer(id: number, ask: Ask): Promise<ToPanel> {
    try {
      const { path, images, evaluators } = this.source(ask.report);
      const answer = await this.parts.reader.ask({ ...ask, report: path }, images, evaluators);
      return { type: 'answer', id, answer };
    } catch (error) {
      return { type: 'refused', id, message: trouble(error) };
    }
  }

  private source(key: string): Source {
    const source = this.sources.get(key);
    if (source === undefined)
      throw new CaptiousError('input', say`This report is no longer there.`, {
        remedy: say`Run the audit again.`,
      });
    return source;
  }

  private async refresh(): Promise<void> {
    const state = await this.state();
    if (this.isOver) return;
    this.webviewPanel.title = inert(state.title);
    if (this.isReady) await this.post({ type: 'show', state });
  }

  private async state(): Promise<PanelState> {
    const records = this.records();
    const [first] = records;
    if (first === undefined)
      return {
        title: 'Captious',
        reports: [],
        resumable: false,
        can: everything,
        problem: vscode.l10n.t('This run was deleted.'),
      };
    const sources: typeof this.sources = new Map();
    const reports: ReportView[] = [];
    const problems: string[] = [];
    for (const record of records) {
      if (record.problem !== undefined) problems.push(record.problem);
      for (const path of this.parts.runs.reportPaths(record)) {
        const key = `${record.id}/${basename(path)}`;
        try {
          reports.push(viewOf(key, await readReport(path), record.titles));
          sources.set(key, { path, images: record.images, evaluators: record.evaluators });
        } catch (error) {
          problems.push(trouble(error));
        }
      }
    }
    this.sources = sources;
    const state: PanelState = {
      title: [
        basename(first.dataset),
        ...new Set(records.flatMap((record) => record.probes.map((probe) => titleOf(record, probe)))),
      ].join(' · '),
      reports: toldApart(reports),
      resumable: first.state === 'interrupted' || first.state === 'failed',
      can: everything,
    };
    const active = records.find(({ state: now }) => now === 'running' || now === 'queued');
    if (active)
      state.running = this.parts.runs.progressOf(active) ?? {
        label: active.state === 'queued' ? vscode.l10n.t('waiting') : vscode.l10n.t('starting'),
        examples: 0,
      };
    if (problems.length > 0) state.problem = problems.join(' ');
    return state;
  }

  /** The page takes a moment to come up; meanwhile the reading process starts and finds the rows it will be asked for. */
  private warm(): void {
    const first = this.sources.values().next().value;
    // Whatever is wrong is told when the page asks.
    if (first !== undefined)
      this.parts.reader.ask({ type: 'facets', report: first.path }, first.images).catch(() => undefined);
  }

  private sendPending(): void {
    if (this.pending === undefined) return;
    void this.post(this.pending);
    this.pending = undefined;
  }

  private async post(message: ToPanel): Promise<void> {
    if (!this.isOver) await this.webviewPanel.webview.postMessage(message);
  }
}

async function save(name: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length > largestSave) throw new Error('The panel sent a file that is too large.');
  const folder = vscode.workspace.workspaceFolders?.at(0)?.uri;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder, basename(name)),
  });
  if (target) await saveTo(target, bytes);
}
