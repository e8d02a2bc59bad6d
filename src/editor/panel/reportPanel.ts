import * as vscode from 'vscode';
import { saveTo } from '../saveTo';
import { CaptiousError, messageOf } from '../../base/errors';
import {
  type FromPanel,
  fromPanel,
  panelMemory,
  type PanelMemory,
  type PanelState,
  type ToPanel,
} from '../../protocol/panel';
import type { Answer, Ask } from '../../protocol/rows';
import type { Report } from '../../report/report';
import { openPage } from './page';
import { revealLine } from './reveal';
import { viewOf } from '../../rows/panelReport';
import { trouble } from '../messages';
import { inert, showError, showStatus } from '../notify';

export const reportPanelType = 'captious.report';
const reportKey = 'report';

/** Who reads a report file and answers about its rows. */
export interface ReportDesk {
  read(report: vscode.Uri): Promise<Report>;
  answer(report: vscode.Uri, ask: Ask): Promise<Answer>;
  can(report: vscode.Uri): PanelState['can'];
  /** undefined: nothing is exported here. */
  export: ((report: vscode.Uri) => Promise<void>) | undefined;
}

/** Panels over report files, whoever made them: nothing in them starts a run. */
export class ReportPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly open = new Map<string, ReportPanel>();

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly queue: ReportDesk,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async show(report: vscode.Uri, line?: number): Promise<void> {
    const known = this.open.get(report.toString());
    // Before a tab is there: a file that is no report opens none.
    if (known === undefined) await this.queue.read(report);
    const panel =
      known ??
      this.adopt(
        vscode.window.createWebviewPanel(reportPanelType, 'Captious', vscode.ViewColumn.Active),
        { run: report.toString(), compare: [] },
        report,
      );
    panel.reveal();
    if (line !== undefined) panel.select(line);
  }

  async deserializeWebviewPanel(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      const memory = panelMemory(state, '');
      const report = vscode.Uri.parse(memory.run, true);
      await this.queue.read(report);
      this.adopt(webviewPanel, memory, report);
    } catch (error) {
      this.log.warn(`A panel could not be restored: ${messageOf(error)}`);
      webviewPanel.dispose();
    }
  }

  dispose(): void {
    for (const panel of this.open.values()) panel.dispose();
  }

  private adopt(webviewPanel: vscode.WebviewPanel, memory: PanelMemory, report: vscode.Uri): ReportPanel {
    const panel = new ReportPanel(webviewPanel, memory, report, this.extensionUri, this.queue, this.log);
    const key = report.toString();
    this.open.set(key, panel);
    webviewPanel.onDidDispose(() => {
      this.open.delete(key);
      panel.dispose();
    });
    return panel;
  }
}

class ReportPanel implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private isReady = false;
  private pending: number | undefined;

  constructor(
    private readonly webviewPanel: vscode.WebviewPanel,
    memory: PanelMemory,
    private readonly report: vscode.Uri,
    extensionUri: vscode.Uri,
    private readonly queue: ReportDesk,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const icon = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    webviewPanel.iconPath = { light: icon('panel-light.svg'), dark: icon('panel-dark.svg') };
    webviewPanel.title = inert(nameOf(report));
    const { webview } = webviewPanel;
    this.subscriptions = [
      webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      webviewPanel.onDidChangeViewState(() => {
        if (!webviewPanel.visible) this.isReady = false;
      }),
      openPage(webview, { extensionUri, name: 'webview', root: 'panel', memory, pictures: 'blob:' }),
    ];
  }

  reveal(): void {
    this.webviewPanel.reveal();
  }

  select(line: number): void {
    this.pending = line;
    if (this.isReady) this.sendPending();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.webviewPanel.dispose();
  }

  private async receive(value: unknown): Promise<void> {
    try {
      await this.handle(fromPanel(value, ''));
    } catch (error) {
      this.log.error(messageOf(error));
      void showError(trouble(error));
    }
  }

  private async handle(message: FromPanel): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        await this.post({ type: 'show', state: await this.state() });
        this.sendPending();
        return;
      case 'ask':
        await this.post(await this.answer(message.id, message.ask));
        return;
      case 'reveal': {
        const answer = await this.queue.answer(this.report, {
          type: 'detail',
          report: reportKey,
          index: message.index,
        });
        if (answer.type !== 'detail') throw new Error(`Asked for a detail, told ${answer.type}.`);
        const { dataset } = await this.queue.read(this.report);
        await revealLine(await datasetOf(this.report, dataset.path), answer.detail.line);
        return;
      }
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        showStatus(vscode.l10n.t('Copied.'), 3000);
        return;
      case 'export':
        if (this.queue.export === undefined) throw notHere();
        await this.queue.export(this.report);
        return;
      case 'save': {
        const target = await vscode.window.showSaveDialog({
          defaultUri: vscode.Uri.joinPath(this.report, '..', message.name.replace(/[\\/]/g, '_')),
        });
        if (target) await saveTo(target, message.bytes);
        return;
      }
      // A file has no run to stop or to take up again, and the panel offers neither.
      case 'cancel':
      case 'rerun':
        return;
      case 'defect':
        this.log.error(`In the panel: ${message.message}`);
        return;
    }
  }

  private async answer(id: number, ask: Ask): Promise<ToPanel> {
    try {
      return { type: 'answer', id, answer: await this.queue.answer(this.report, ask) };
    } catch (error) {
      return { type: 'refused', id, message: trouble(error) };
    }
  }

  private async state(): Promise<PanelState> {
    const common = {
      title: nameOf(this.report),
      resumable: false,
      can: this.queue.can(this.report),
    };
    try {
      const report = await this.queue.read(this.report);
      return { ...common, reports: [viewOf(reportKey, report, [])] };
    } catch (error) {
      return { ...common, reports: [], problem: trouble(error) };
    }
  }

  private sendPending(): void {
    if (this.pending === undefined) return;
    void this.post({ type: 'select', line: this.pending, whatIf: false });
    this.pending = undefined;
  }

  private async post(message: ToPanel): Promise<void> {
    await this.webviewPanel.webview.postMessage(message);
  }
}

/** What takes a process of its own. */
export function notHere(): CaptiousError {
  return new CaptiousError(
    'usage',
    vscode.l10n.t('In a browser Captious shows reports and does nothing else.'),
    {
      remedy: vscode.l10n.t('Open the folder in VS Code on a computer, or connected to one.'),
    },
  );
}

/** Where the dataset of a report lies: as the report says, beside the report, or anywhere in the open folders. */
export async function datasetOf(report: vscode.Uri, path: string): Promise<vscode.Uri> {
  const name = lastPart(path);
  const near = [vscode.Uri.joinPath(report, '..', name)];
  for (const candidate of report.scheme === 'file' ? [vscode.Uri.file(path), ...near] : near)
    if (await isThere(candidate)) return candidate;
  const [found] = await vscode.workspace.findFiles(`**/${name.replace(/[[\]{}*?]/g, '?')}`, undefined, 1);
  if (found !== undefined) return found;
  throw new CaptiousError('input', vscode.l10n.t('The dataset of this report was not found.'), { at: path });
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Of a path of whatever system. */
export function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

function nameOf(report: vscode.Uri): string {
  return lastPart(report.path).replace(/\.report\.json$/, '');
}
