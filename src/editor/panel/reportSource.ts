import * as vscode from 'vscode';
import type { CallContext } from '../../base/calls';
import { CaptiousError } from '../../base/errors';
import { shortNames } from '../../base/text/shortNames';
import { fileOf } from '../../dataset/parts/fileOf';
import type { PanelState } from '../../protocol/panel';
import type { AnswerRows, RowAnswer, RowAsk, RowRequest } from '../../protocol/rows';
import type { Report } from '../../report/report';
import { isOnOtherHost } from '../../service/images/networkPath';
import { toldApart, viewOf, withPaths } from '../../service/panelReport';
import { trouble } from '../messages';
import { Panels, type PanelSource } from './panel';

export const reportPanelType = 'captious.report';
const reportKey = 'report';

/** Reads report files and answers requests about their rows. */
export interface ReportFileReader {
  read(report: vscode.Uri): Promise<Report>;
  /** `ask.report` is replaced by the URI. */
  answer<N extends RowRequest>(
    report: vscode.Uri,
    ...request: [name: N, ask: RowAsk<N>, context?: Partial<CallContext>]
  ): Promise<RowAnswer<N>>;
  can(report: vscode.Uri): PanelState['can'];
  export(report: vscode.Uri): Promise<void>;
}

/** Creates the panels of report files. These panels cannot start a run. */
export function reportPanels(
  extensionUri: vscode.Uri,
  reader: ReportFileReader,
  log: vscode.LogOutputChannel,
  views: vscode.Memento,
): Panels {
  return new Panels({
    viewType: reportPanelType,
    extensionUri,
    log,
    views,
    open: ({ run }) => reportSource(run, reader),
  });
}

/** Opens the report file at a URI for a panel. Throws if the file is unreadable. */
export async function reportSource(uri: string, reader: ReportFileReader): Promise<PanelSource> {
  const report = vscode.Uri.parse(uri, true);
  await reader.read(report);
  return new ReportFileSource(report, reader);
}

class ReportFileSource implements PanelSource {
  readonly folder: vscode.Uri;

  constructor(
    private readonly report: vscode.Uri,
    private readonly reader: ReportFileReader,
  ) {
    this.folder = vscode.Uri.joinPath(report, '..');
  }

  readonly answer: AnswerRows = async (name, ask, context) => {
    const asked = withPaths(name, ask, (key) => {
      if (key !== reportKey) throw new Error('This panel has only one report.');
      return this.report.toString();
    });
    return this.reader.answer(this.report, name, asked, context);
  };

  async datasetOf(_report: string, part?: string): Promise<vscode.Uri> {
    const { dataset } = await this.reader.read(this.report);
    return datasetOf(this.report, fileOf(dataset.path, part));
  }

  async exportForPaper(): Promise<void> {
    const found = { reports: [this.report.fsPath], images: [] };
    await vscode.commands.executeCommand('captious.exportForPaper', found);
  }

  export(): Promise<void> {
    return this.reader.export(this.report);
  }

  async state(): Promise<PanelState> {
    const title = lastPart(this.report.path).replace(/\.report\.json$/, '');
    const common = { title, resumable: false, can: this.reader.can(this.report) };
    try {
      const report = await this.reader.read(this.report);
      const [view] = toldApart([viewOf(reportKey, report, [])]);
      return {
        ...common,
        title: [lastPart(report.dataset.path), view.title, ...shortNames([view.evaluator])].join(' · '),
        writtenAt: (await vscode.workspace.fs.stat(this.report)).mtime,
        isOfFile: true,
        reports: [view],
      };
    } catch (error) {
      return { ...common, reports: [], problem: trouble(error) };
    }
  }
}

/** The error for features that need a process. A browser cannot start processes. */
export function notHere(): CaptiousError {
  return new CaptiousError('usage', vscode.l10n.t('In a browser, Captious can only show reports.'), {
    remedy: vscode.l10n.t('Open the folder in VS Code on a computer, or connect to a remote computer.'),
  });
}

/** Finds a report's dataset at the recorded path, next to the report, or in an open folder. */
export async function datasetOf(report: vscode.Uri, path: string): Promise<vscode.Uri> {
  const name = lastPart(path);
  const near = [vscode.Uri.joinPath(report, '..', name)];
  const named =
    report.scheme === 'file' && vscode.workspace.isTrusted && !isOnOtherHost(path, [report.fsPath]);
  for (const candidate of named ? [vscode.Uri.file(path), ...near] : near)
    if (await isThere(candidate)) return candidate;
  const [found] = await vscode.workspace.findFiles(`**/${name.replace(/[[\]{}*?]/g, '?')}`, undefined, 1);
  if (found !== undefined) return found;
  throw new CaptiousError('input', vscode.l10n.t('The dataset of this report was not found.'), {
    at: path,
    remedy: vscode.l10n.t('Put the dataset next to the report, or open the folder of the dataset.'),
  });
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** The last part of a path with separators of any operating system. */
export function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
