import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import type { Report } from '../../report/report';
import { viewFor } from '../../probe/views';
import { combined, type ExampleMark, type Known } from './evaluatorMarks';
import { mostOfSeveral, verdictOf } from './figure';
import { worstFirst, worstLines } from './lensLevel';
import type { MarkSource } from './marks';
import { lastPart } from '../panel/reportSource';
import { localized } from '../messages';
import type { WebReports } from '../panel/webReports';
import { reportFiles, watchReports } from './reportWatch';

const mostReports = 200;

interface Found {
  uri: vscode.Uri;
  report: Report;
  mtime: number;
}

/** Results from report files in the open folders. A report is matched with a dataset by the dataset's file name. */
export class WebMarks implements MarkSource, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  private found: Found[] = [];
  private loading: Promise<void> | undefined;
  private readonly watch: vscode.Disposable;

  constructor(
    private readonly reports: WebReports,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.watch = watchReports(() => {
      this.loading = undefined;
      this.changed.fire(undefined);
    });
  }

  load(): Promise<void> {
    if (this.loading === undefined) {
      const loading = this.find().then((found) => {
        // A report changed during the search, so another search follows.
        if (this.loading !== loading) return;
        this.found = found;
        this.changed.fire(undefined);
      });
      this.loading = loading;
    }
    return this.loading;
  }

  latest(uri: vscode.Uri): Known[] {
    const about = this.found.filter(({ report }) => lastPart(report.dataset.path) === lastPart(uri.path));
    const newest = about.filter(
      ({ report }, i) => about.findIndex((other) => other.report.probe === report.probe) === i,
    );
    return newest.map((own) => this.knownOf(own, newest));
  }

  private knownOf(own: Found, newest: readonly Found[]): Known {
    const reports = this.besides(own).map(({ report }) => report);
    const { title } = viewFor(own.report.probe);
    const verdict = newest.length === 1 ? verdictOf(reports) : verdictOf(reports, false, mostOfSeveral);
    return {
      ...{ id: own.uri.toString(), probe: own.report.probe, title },
      words:
        verdict === undefined
          ? `${title} · ${reports.map(({ evaluator }) => evaluator.name).join(' ⇄ ')}`
          : `${title}: ${localized(verdict)}`,
      isMute: verdict === undefined,
      isOlder: own.report.dataset.sha256 !== newest[0].report.dataset.sha256,
      again: undefined,
    };
  }

  async marks({ id }: Known, from: number, to: number): Promise<ExampleMark[]> {
    const own = this.found.find(({ uri }) => uri.toString() === id);
    const reports = await Promise.all(
      (own === undefined ? [] : this.besides(own)).map(async ({ uri, report: { evaluator } }) => {
        const report = uri.toString();
        const marks = await this.reports.answer(uri, 'marks', { report, from, to });
        return { report, evaluator: evaluator.name, marks };
      }),
    );
    return combined(reports);
  }

  async worst({ id }: Known): Promise<Set<number>> {
    const own = this.found.find(({ uri }) => uri.toString() === id);
    const ask = ({ uri }: Found) =>
      this.reports.answer(uri, 'lines', { report: uri.toString(), ...worstFirst });
    return worstLines(await Promise.all((own === undefined ? [] : this.besides(own)).map(ask)));
  }

  /** The report by `evaluator` with the same dataset and probe as the report `id`, or else `id` itself. */
  reportBy(id: string, evaluator: unknown): string {
    const own = this.found.find(({ uri }) => uri.toString() === id);
    const others = own === undefined ? [] : this.besides(own);
    return others.find(({ report }) => report.evaluator.name === evaluator)?.uri.toString() ?? id;
  }

  /** Each evaluator's newest report with the same probe and dataset as the given report. Newest report first. */
  private besides({ report: { probe, dataset } }: Found): Found[] {
    const newest = new Map<string, Found>();
    for (const each of this.found) {
      const { report } = each;
      const isSame = report.probe === probe && report.dataset.sha256 === dataset.sha256;
      if (isSame && !newest.has(report.evaluator.name)) newest.set(report.evaluator.name, each);
    }
    return [...newest.values()];
  }

  dispose(): void {
    this.watch.dispose();
    this.changed.dispose();
  }

  private async find(): Promise<Found[]> {
    const found: Found[] = [];
    for (const uri of await vscode.workspace.findFiles(reportFiles, '**/node_modules/**', mostReports)) {
      try {
        const { mtime } = await vscode.workspace.fs.stat(uri);
        found.push({ uri, report: await this.reports.read(uri), mtime });
      } catch (error) {
        this.log.warn(messageOf(error));
      }
    }
    return found.sort((a, b) => b.mtime - a.mtime);
  }
}
