import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors';
import { inARow, withValues } from '../../base/say';
import { shortNames } from '../../base/text/shortNames';
import type { Reader } from '../../process/readerClient';
import { viewFor } from '../../probe/views';
import type { ReportBeside } from '../../report/beside';
import { firstOf, mostOfSeveral } from './figure';
import { combined, type ExampleMark, type Known } from './evaluatorMarks';
import { worstFirst, worstLines } from './lensLevel';
import type { DatedResults } from './marks';
import { shortDay } from '../dates';
import { localized } from '../messages';
import * as settings from '../settings';
import { watchReports } from './reportWatch';
import { groupedBy } from '../../base/lists';

/** Where to search for reports: the dataset's folder, and its subfolder `reports`, which the documentation uses. */
const places = '{*.report.json,reports/*.report.json}';
const mostFiles = 200;
/** The most evaluators whose verdicts are above a file with the results of one probe. The others are counted. */
const mostOfOne = 2;

/** Results from report files next to a dataset, such as reports of the command line. */
export class BesideMarks implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.changed.event;
  /** Maps a dataset's path to its reports. The list is empty until the search for reports has ended. */
  private readonly found = new Map<string, readonly ReportBeside[]>();
  private readonly watch: vscode.Disposable;

  constructor(
    private readonly reader: Reader,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.watch = watchReports(() => {
      this.found.clear();
      this.changed.fire(undefined);
    });
  }

  /** The results found so far. The first call for a dataset starts the search. `hasOthers`: see `RunMarks`. */
  latest(uri: vscode.Uri, hasOthers = false): DatedResults[] {
    if (uri.scheme !== 'file' || uri.path.endsWith('.report.json')) return [];
    const known = this.found.get(uri.fsPath);
    if (known === undefined) {
      const pending: readonly ReportBeside[] = [];
      this.found.set(uri.fsPath, pending);
      void this.search(uri, pending);
      return [];
    }
    const probes = [...groupedBy(known, ({ probe }) => probe).values()];
    return probes.map((reports) => knownOf(reports, hasOthers || probes.length > 1));
  }

  async marks({ id }: Known, from: number, to: number): Promise<ExampleMark[]> {
    const reports = await Promise.all(
      this.besides(id).map(async ({ path: report, evaluator }) => {
        const marks = await this.reader.rows('marks', { report, from, to }, []);
        return { report, evaluator, marks };
      }),
    );
    return combined(reports);
  }

  async worst({ id }: Known): Promise<Set<number>> {
    const ask = ({ path: report }: ReportBeside) => this.reader.rows('lines', { report, ...worstFirst }, []);
    return worstLines(await Promise.all(this.besides(id).map(ask)));
  }

  /** The report by `evaluator` with the same dataset and probe as the report `id`, or else `id` itself. */
  reportBy(id: string, evaluator: unknown): string {
    return this.besides(id).find((own) => own.evaluator === evaluator)?.path ?? id;
  }

  /** The reports of the results, one per evaluator. */
  reports({ id }: Known): Promise<{ report: string; evaluator: string }[]> {
    return Promise.resolve(this.besides(id).map(({ path: report, evaluator }) => ({ report, evaluator })));
  }

  imageFolders(id: string): string[] {
    return settings.imageFolders(vscode.Uri.file(id));
  }

  dispose(): void {
    this.watch.dispose();
    this.changed.dispose();
  }

  /** All reports with the same dataset and probe as the report `id`. */
  private besides(id: string): readonly ReportBeside[] {
    for (const reports of this.found.values()) {
      const own = reports.find(({ path }) => path === id);
      if (own !== undefined) return reports.filter(({ probe }) => probe === own.probe);
    }
    return [];
  }

  /** Searches for a dataset's reports. VS Code lists the report files, and the reading process reads them. */
  private async search(uri: vscode.Uri, pending: readonly ReportBeside[]): Promise<void> {
    const dataset = uri.fsPath;
    try {
      const folder = new vscode.RelativePattern(vscode.Uri.file(dirname(dataset)), places);
      const files = await vscode.workspace.findFiles(folder, null, mostFiles);
      if (files.length === 0) return;
      const reports = files.map(({ fsPath }) => fsPath);
      const found = await this.reader.ask('beside', { dataset, reports });
      // If a report changed during the search, the results are outdated and another search follows.
      if (found.length === 0 || this.found.get(dataset) !== pending) return;
      this.found.set(dataset, found);
      this.changed.fire(undefined);
    } catch (error) {
      this.log.warn(`${basename(dataset)}: ${messageOf(error)}`);
    }
  }
}

function knownOf(reports: readonly ReportBeside[], isBrief: boolean): DatedResults {
  const [{ path, probe, writtenAt, isCurrent }] = reports;
  const { title } = viewFor(probe);
  const names = shortNames(reports.map(({ evaluator }) => evaluator));
  const lines = reports.flatMap(({ sentence, brief, evaluator }, i) => {
    const words = reports.length === 1 && !isBrief ? sentence : brief;
    return words === undefined
      ? []
      : [withValues(words, (value) => (value === evaluator ? names[i] : value))];
  });
  const verdict = lines.length === 0 ? inARow(names) : firstOf(lines, isBrief ? mostOfSeveral : mostOfOne);
  return {
    ...{ id: path, probe, title },
    words: `${title} (${vscode.l10n.t('file of {0}', shortDay(new Date(writtenAt)))}): ${localized(verdict)}`,
    isMute: lines.length === 0,
    isOlder: !isCurrent,
    again: undefined,
    evaluators: reports.map(({ evaluator }) => evaluator),
    verdicts: reports.map(({ evaluator, sentence, brief }) => ({
      evaluator,
      words: localized(sentence ?? brief ?? evaluator),
    })),
    others: reports.slice(1).map((report) => report.path),
    at: writtenAt,
  };
}
