import { basename } from 'node:path';
import * as vscode from 'vscode';
import { largest } from '../../base/extent';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { fileOf } from '../../dataset/parts/fileOf';
import type { Reader } from '../../process/readerClient';
import type { PanelMemory, PanelProgress, PanelState, ReportView } from '../../protocol/panel';
import type { AnswerRows } from '../../protocol/rows';
import { readReport } from '../../report/report';
import { toldApart, viewOf, withPaths } from '../../service/panelReport';
import { trouble } from '../messages';
import { shortDate } from '../dates';
import { dateOf, evaluatorNames, isGoing, isRepeated, type RunRecord, titleOf } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { waitingText } from '../runs/runsView';
import type { PanelSource } from './panel';

export const runPanelType = 'captious.panel';
const everything: PanelState['can'] = { whatIf: true, export: true, images: true };

type Source = { path: string } & Pick<RunRecord, 'images' | 'evaluators'>;

/** The reports of a run, or of several runs that are compared. */
export class RunSource implements PanelSource {
  /** Maps a report's key to the report's path and to the image folders and evaluators of its run. */
  private sources = new Map<string, Source>();

  constructor(
    private readonly runs: Runs,
    private readonly reader: Reader,
    private readonly memory: PanelMemory,
  ) {}

  get folder(): vscode.Uri | undefined {
    return vscode.workspace.workspaceFolders?.at(0)?.uri;
  }

  onDidChange(changed: () => void, progressed: (running: PanelProgress) => void): vscode.Disposable {
    return vscode.Disposable.from(
      this.runs.onDidChange((record) => {
        const own = this.records();
        // Other runs can change the panel, too. A queued run names the run that it waits for, and the title needs a
        // date if another run has the same dataset, probes and evaluators.
        const concerns = (one: RunRecord) =>
          one === record || one.state === 'queued' || (record !== undefined && isRepeated(one, [record]));
        if (record === undefined || own.some(concerns)) changed();
      }),
      this.runs.onDidProgress((record) => {
        const running = this.runs.progressOf(record);
        if (running && this.records().includes(record)) progressed(running);
      }),
    );
  }

  readonly answer: AnswerRows = async (name, ask, context) => {
    const { images, evaluators } = this.source(ask.report);
    const asked = withPaths(name, ask, (key) => this.source(key).path);
    return this.reader.rows(name, asked, images, { ...context, evaluators });
  };

  async datasetOf(report: string, part?: string): Promise<vscode.Uri> {
    const { dataset } = await readReport(this.source(report).path);
    return vscode.Uri.file(fileOf(dataset.path, part));
  }

  async export(report: string): Promise<void> {
    await vscode.commands.executeCommand('captious.export', this.source(report).path);
  }

  async exportForPaper(): Promise<void> {
    const sources = [...this.sources.values()];
    const reports = sources.map(({ path }) => path);
    const images = [...new Set(sources.flatMap((source) => source.images))];
    await vscode.commands.executeCommand('captious.exportForPaper', { reports, images });
  }

  cancel(): void {
    for (const record of this.records()) this.runs.cancel(record);
  }

  async rerun(): Promise<void> {
    await vscode.commands.executeCommand('captious.resume', this.memory.run);
  }

  async state(): Promise<PanelState> {
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
    const count = () => records.reduce((sum, record) => sum + this.runs.reportPaths(record).length, 0);
    let [before, found] = [count(), await this.reports(records)];
    // A run that ends meanwhile is shown as finished, so all its reports must be shown, too.
    while (count() !== before) [before, found] = [count(), await this.reports(records)];
    const { reports, problems } = found;
    const state: PanelState = {
      title: [
        [...new Set(records.map(({ dataset }) => basename(dataset)))].join(' ⇄ '),
        ...new Set(records.flatMap((record) => record.probes.map((probe) => titleOf(record, probe)))),
        ...[evaluatorNames(records)].filter((names) => names !== ''),
        ...(records.some((record) => isRepeated(record, this.runs.all))
          ? [records.map((record) => shortDate(dateOf(record))).join(' ⇄ ')]
          : []),
      ].join(' · '),
      writtenAt: largest(records.map((record) => +dateOf(record))),
      reports: toldApart(reports),
      resumable: first.state === 'interrupted' || first.state === 'failed',
      can: {
        ...everything,
        whatIf: reports.length === 0 || reports.some(({ unscored }) => unscored !== true),
      },
    };
    const active = records.find(isGoing);
    if (active)
      state.running = this.runs.progressOf(active) ?? {
        label: active.state === 'queued' ? waitingText(active, this.runs) : vscode.l10n.t('starting'),
        examples: 0,
      };
    else if (first.stopped !== undefined) state.stopped = first.stopped;
    if (problems.length > 0) state.problem = problems.join(' ');
    return state;
  }

  private async reports(
    records: readonly RunRecord[],
  ): Promise<{ reports: ReportView[]; problems: string[] }> {
    const sources: typeof this.sources = new Map();
    const reports: ReportView[] = [];
    const problems: string[] = [];
    for (const record of records) {
      if (record.problem !== undefined) problems.push(record.problem);
      for (const path of this.runs.reportPaths(record)) {
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
    return { reports, problems };
  }

  private records(): RunRecord[] {
    return [this.memory.run, ...this.memory.compare].flatMap((id) => this.runs.byId(id) ?? []);
  }

  private source(key: string): Source {
    const source = this.sources.get(key);
    if (source === undefined)
      throw new CaptiousError('input', say('editor.reportGone'), { remedy: say('editor.runAuditAgain') });
    return source;
  }
}
