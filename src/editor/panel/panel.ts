import * as vscode from 'vscode';
import { passing } from '../../base/calls';
import { messageOf } from '../../base/errors';
import {
  type FromPanel,
  fromPanel,
  panelMemory,
  type PanelMemory,
  type PanelProgress,
  type PanelState,
  type ToPanel,
} from '../../protocol/panel';
import { type AnswerRows, rowRequests } from '../../protocol/rows';
import { inert, showStatus } from '../notify';
import { saveTo } from '../saveTo';
import { answerInWords, hearPage, openPage, PageRequests } from './page';
import { revealLine } from './reveal';
import { keepView, keyOf, type Shown, viewsIn, withoutExample } from './views';

/** The size limit in bytes for a file that the page saves. Images of charts are smaller. */
const largestSave = 32 << 20;

/** The reports of a panel. The page refers to a report by its key, never by a path. */
export interface PanelSource {
  state(): Promise<PanelState>;
  /** Answers a request about the rows of a report. */
  answer: AnswerRows;
  /** The dataset of a report, or a file of it. */
  datasetOf(report: string, part?: string): Promise<vscode.Uri>;
  export(report: string): Promise<void>;
  /** Exports tables and figures of all the panel's reports. */
  exportForPaper(): Promise<void>;
  readonly folder: vscode.Uri | undefined;
  /** Only the panels of runs and of comparisons have `cancel`, `rerun` and `onDidChange`. */
  cancel?(): void;
  rerun?(): Promise<void>;
  onDidChange?(changed: () => void, progressed: (running: PanelProgress) => void): vscode.Disposable;
}

export interface PanelsParts {
  viewType: string;
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  /** Stores the state of each panel, such as its filters, for the next time the panel is opened. */
  views: vscode.Memento;
  /** Throws if a report file is unreadable. */
  open: (memory: PanelMemory) => PanelSource | Promise<PanelSource>;
}

/** The open panels of one view type. A run, a comparison or a report file has at most one panel. */
export class Panels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, Panel>();

  private readonly shown = new vscode.EventEmitter<void>();
  /** Fires when a panel is shown, hidden or closed. */
  readonly onDidShow = this.shown.event;

  constructor(private readonly parts: PanelsParts) {}

  /** Whether the panel of this run is visible. */
  isVisible(run: string): boolean {
    return [...this.open.values()].some((panel) => panel.isVisible && panel.memory.run === run);
  }

  async show(memory: PanelMemory, { explain, whatIf = false, ...selected }: Shown = {}): Promise<void> {
    const key = keyOf(memory);
    // The source is opened before the tab, because an unreadable report must not leave an empty tab.
    const source = this.open.has(key) ? undefined : await this.parts.open(memory);
    const kept = viewsIn(this.parts.views).find((view) => keyOf(view) === key) ?? memory;
    const create = (own: PanelSource): Panel =>
      this.adopt(
        // A hidden page stays loaded. If it were loaded again, the panel would be blank for a moment.
        vscode.window.createWebviewPanel(this.parts.viewType, 'Captious', vscode.ViewColumn.Active, {
          retainContextWhenHidden: true,
        }),
        selected.line === undefined && selected.index === undefined ? kept : withoutExample(kept),
        own,
      );
    const panel = this.open.get(key) ?? (source && create(source));
    panel?.reveal();
    if (Object.keys(selected).length > 0) panel?.select({ type: 'select', whatIf, ...selected });
    if (explain !== undefined) panel?.select({ type: 'explain', ...explain });
  }

  async deserializeWebviewPanel(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const memory = panelMemory(state, '');
      this.adopt(webviewPanel, memory, await this.parts.open(memory));
    } catch (error) {
      this.parts.log.warn(`A panel could not be restored: ${messageOf(error)}`);
      webviewPanel.dispose();
    }
  }

  /** Shows a report in a tab that VS Code opened. Closes another tab with the report. */
  async take(webviewPanel: vscode.WebviewPanel, memory: PanelMemory): Promise<void> {
    const key = keyOf(memory);
    const source = await this.parts.open(memory);
    this.open.get(key)?.dispose();
    const kept = viewsIn(this.parts.views).find((view) => keyOf(view) === key) ?? memory;
    this.adopt(webviewPanel, kept, source);
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
    this.shown.dispose();
  }

  private adopt(webviewPanel: vscode.WebviewPanel, memory: PanelMemory, source: PanelSource): Panel {
    const key = keyOf(memory);
    const panel = new Panel(webviewPanel, memory, source, this.parts);
    this.open.set(key, panel);
    webviewPanel.onDidChangeViewState(() => this.shown.fire());
    webviewPanel.onDidDispose(() => {
      if (this.open.get(key) === panel) this.open.delete(key);
      panel.dispose();
      this.shown.fire();
    });
    this.shown.fire();
    return panel;
  }
}

type Selected = Extract<ToPanel, { type: 'select' | 'explain' }>;

class Panel implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly requests: PageRequests;
  private isReady = false;
  private isOver = false;
  private pending: Selected | undefined;

  constructor(
    private readonly webviewPanel: vscode.WebviewPanel,
    readonly memory: PanelMemory,
    private readonly source: PanelSource,
    private readonly parts: PanelsParts,
  ) {
    const { webview } = webviewPanel;
    const { extensionUri } = parts;
    const icon = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    webviewPanel.iconPath = { light: icon('panel-light.svg'), dark: icon('panel-dark.svg') };
    this.requests = new PageRequests(
      webview,
      passing(rowRequests, (name, ask, context) => answerInWords(source.answer(name, ask, context))),
    );
    this.disposables.push(
      hearPage(webview, parts.log, async (value) => {
        if (!this.requests.hear(value)) await this.handle(fromPanel(value, ''));
      }),
      // Without `retainContextWhenHidden`, VS Code unloads a hidden page, and messages to the page are lost.
      webviewPanel.onDidChangeViewState(() => {
        if (webviewPanel.visible || webviewPanel.options.retainContextWhenHidden === true) return;
        this.isReady = false;
        this.requests.end();
      }),
    );
    const changes = source.onDidChange?.(
      () => void this.refresh(),
      (running) => {
        if (this.isReady) void this.post({ type: 'progress', running });
      },
    );
    if (changes !== undefined) this.disposables.push(changes);
    this.disposables.push(
      openPage(webview, { extensionUri, name: 'webview', root: 'panel', memory, images: 'blob:' }),
    );
    void this.refresh().then((state) => this.warm(state));
  }

  get isVisible(): boolean {
    return this.webviewPanel.visible;
  }

  reveal(): void {
    this.webviewPanel.reveal();
  }

  /** Sends a selection to the page, after the page has received the newest reports. */
  select(wanted: Selected): void {
    this.pending = wanted;
    if (this.isReady) void this.refresh().then(() => this.sendPending());
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.requests.end();
    for (const disposable of this.disposables) disposable.dispose();
    this.webviewPanel.dispose();
  }

  private async handle(message: FromPanel): Promise<void> {
    const { source } = this;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.requests.restart();
        await this.refresh();
        this.sendPending();
        return;
      case 'reveal': {
        const { report, index } = message;
        const { line, part, example } = await source.answer('detail', { report, index });
        await revealLine(await source.datasetOf(report, part), line, { example });
        return;
      }
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        showStatus(vscode.l10n.t('Copied.'), 3000);
        return;
      case 'export':
        return source.export(message.report);
      case 'paper':
        return source.exportForPaper();
      case 'cancel':
        source.cancel?.();
        return;
      case 'rerun':
        return source.rerun?.();
      case 'save':
        return this.save(message.name, message.bytes);
      case 'remember':
        if (keyOf(message.memory) === keyOf(this.memory)) await keepView(this.parts.views, message.memory);
        return;
      case 'defect':
        this.parts.log.error(`In the panel: ${message.message}`);
        return;
    }
  }

  private async save(name: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > largestSave) throw new Error('The panel sent a file that is too large to save.');
    const { folder } = this.source;
    // The file name starts with the panel's title, which names the dataset, the probe and the evaluator.
    const full = `${this.webviewPanel.title} · ${name}`.replace(/ · /g, '.').replace(/[\\/:*?"<>|]/g, '_');
    const target = await vscode.window.showSaveDialog({
      defaultUri: folder && vscode.Uri.joinPath(folder, full),
    });
    if (target) await saveTo(target, bytes);
  }

  private async refresh(): Promise<PanelState> {
    const state = await this.source.state();
    if (this.isOver) return state;
    this.webviewPanel.title = inert(state.title);
    if (this.isReady) await this.post({ type: 'show', state });
    return state;
  }

  /** Requests the facets of the first report, so that its rows are already indexed when the page is loaded. */
  private warm({ reports: [first] }: PanelState): void {
    // A failure is ignored, because the page repeats the request and shows the error.
    if (first !== undefined) this.source.answer('facets', { report: first.key }).catch(() => undefined);
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
