import * as vscode from 'vscode';
import type { CallContext } from '../../base/calls';
import { CaptiousError } from '../../base/errors';
import { largest } from '../../base/extent';
import { shortNames } from '../../base/text/shortNames';
import { fileOf } from '../../dataset/parts/fileOf';
import type { PanelState, ReportView } from '../../protocol/panel';
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

/** Opens the report file at a URI, and those of `others`, for a panel. Throws if the first file is unreadable. */
export async function reportSource(
  uri: string,
  reader: ReportFileReader,
  others: readonly string[] = [],
): Promise<PanelSource> {
  const [report, ...further] = [uri, ...others].map((each) => vscode.Uri.parse(each, true));
  await reader.read(report);
  return new ReportFileSource(report, further, reader);
}

class ReportFileSource implements PanelSource {
  readonly folder: vscode.Uri;
  private readonly reports: ReadonlyMap<string, vscode.Uri>;

  constructor(
    private readonly report: vscode.Uri,
    others: readonly vscode.Uri[],
    private readonly reader: ReportFileReader,
  ) {
    this.folder = vscode.Uri.joinPath(report, '..');
    this.reports = new Map([
      [reportKey, report],
      ...others.map((other, i): [string, vscode.Uri] => [`${reportKey} ${i + 2}`, other]),
    ]);
  }

  readonly answer: AnswerRows = async (name, ask, context) => {
    const asked = withPaths(name, ask, (key) => pathOf(this.uriOf(key)));
    return this.reader.answer(this.uriOf(ask.report), name, asked, context);
  };

  async datasetOf(key: string, part?: string): Promise<vscode.Uri> {
    const report = this.uriOf(key);
    const { dataset } = await this.reader.read(report);
    return datasetOf(report, fileOf(dataset.path, part));
  }

  async exportForPaper(): Promise<void> {
    const found = { reports: [...this.reports.values()].map(({ fsPath }) => fsPath), images: [] };
    await vscode.commands.executeCommand('captious.exportForPaper', found);
  }

  export(key: string): Promise<void> {
    return this.reader.export(this.uriOf(key));
  }

  async state(): Promise<PanelState> {
    const title = lastPart(this.report.path).replace(/\.report\.json$/, '');
    const common = { title, resumable: false, can: this.reader.can(this.report) };
    const found: ReportView[] = [];
    const problems: string[] = [];
    const times: number[] = [];
    let dataset = '';
    for (const [key, uri] of this.reports)
      try {
        const report = await this.reader.read(uri);
        times.push((await vscode.workspace.fs.stat(uri)).mtime);
        dataset = lastPart(report.dataset.path);
        found.push(viewOf(key, report, []));
      } catch (error) {
        problems.push(trouble(error));
      }
    const reports = toldApart(found);
    const problem = problems.length === 0 ? {} : { problem: problems.join(' ') };
    if (reports.length === 0) return { ...common, reports, ...problem };
    const names = shortNames(reports.map(({ evaluator }) => evaluator));
    return {
      ...common,
      title: [dataset, reports[0].title, ...names].join(' · '),
      writtenAt: largest(times),
      isOfFile: true,
      reports,
      ...problem,
    };
  }

  private uriOf(key: string): vscode.Uri {
    const uri = this.reports.get(key);
    if (uri === undefined) throw new Error('This panel has no such report.');
    return uri;
  }
}

/** What a reader of reports calls a report. */
function pathOf(report: vscode.Uri): string {
  return report.scheme === 'file' ? report.fsPath : report.toString();
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
