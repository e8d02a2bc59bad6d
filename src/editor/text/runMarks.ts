import { localized } from '../messages';
import type * as vscode from 'vscode';
import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import { combined, type EvaluatorMark, type ExampleMark, type Known } from './evaluatorMarks';
import { worstFirst, worstLines } from './lensLevel';
import type { DatedResults, MarkSource } from './marks';
import type { Reader } from '../../process/readerClient';
import { viewFor } from '../../probe/views';
import { readReport } from '../../report/report';
import { toldApart, viewOf } from '../../service/panelReport';
import { shortDay } from '../dates';
import {
  dateOf,
  evaluatorNames,
  hasReports,
  newestOfProbes,
  type RunRecord,
  titleOf,
} from '../runs/runRecord';
import type { Runs } from '../runs/runs';

/** The longest side of a hover's image in pixels. VS Code cuts a hover after 100,000 characters. */
const hoverSide = 256;

/** The most runs whose reports are kept in memory. The results of one dataset rarely come from more runs. */
const mostKept = 8;

/** Whether `id` is the path or URI of a report file. Otherwise, it is the id of a run. */
export function isReportFile(id: unknown): id is string {
  return typeof id === 'string' && id.endsWith('.report.json');
}

/** Results from the workspace's runs. */
export class RunMarks implements MarkSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** The reports of recently used runs. They are kept, because the editor requests marks often. */
  private readonly kept = new Map<string, Promise<OwnReport[]>>();

  constructor(
    private readonly runs: Runs,
    private readonly reader: Reader,
  ) {
    this.onDidChange = (listener, self, disposables) =>
      runs.onDidChange(
        (record) => {
          if (record === undefined || hasReports(record)) listener.call(self, record);
        },
        undefined,
        disposables,
      );
  }

  load(): Promise<void> {
    return this.runs.load();
  }

  /** `hasOthers`: whether there are results of other sources, so that the verdicts must be brief. */
  latest(uri: vscode.Uri, hasOthers = false): DatedResults[] {
    const newest = uri.scheme === 'file' ? newestOfProbes(this.runs.all, uri.fsPath) : [];
    return newest.map(({ probe, record }) => ({
      ...{
        id: record.id,
        probe,
        title: titleOf(record, probe),
        ...lensWords(record, probe, hasOthers || newest.length > 1),
      },
      isOlder: record !== newest[0].record,
      again: againOf(probe),
      ...(record.names === undefined ? {} : { evaluators: record.names }),
      at: +dateOf(record),
    }));
  }

  async marks(known: Known, from: number, to: number): Promise<ExampleMark[]> {
    const record = this.recordOf(known);
    const reports = await Promise.all(
      (await this.reportsOf(record, known.probe)).map(async ({ report, evaluator }) => {
        const marks = await this.reader.rows('marks', { report, from, to }, record.images);
        return { report, evaluator, marks };
      }),
    );
    return combined(reports);
  }

  async worst(known: Known): Promise<Set<number>> {
    const record = this.recordOf(known);
    const reports = await this.reportsOf(record, known.probe);
    const ask = (report: string) => this.reader.rows('lines', { report, ...worstFirst }, record.images);
    return worstLines(await Promise.all(reports.map(({ report }) => ask(report))));
  }

  image(known: Known, mark: ExampleMark): Promise<Uint8Array | undefined> {
    return this.imageIn(mark, this.recordOf(known).images);
  }

  /** The example's image; undefined if it has no image. `images` are the folders to search. */
  async imageIn(
    { evaluators = [] }: ExampleMark,
    images: readonly string[],
  ): Promise<Uint8Array | undefined> {
    const [own] = evaluators;
    if (own?.mark.index === undefined) return undefined;
    const { report, mark } = own;
    const detail = await this.reader.rows('detail', { report, index: mark.index! }, images);
    const name = detail.change?.image ?? detail.image;
    if (name === undefined) return undefined;
    const changed = detail.cropped ? { changed: mark.index! } : {};
    const bytes = await this.reader.rows('image', { report, name, side: hoverSide, ...changed }, images);
    return bytes.length === 0 ? undefined : bytes;
  }

  /** Scores the examples on these lines with the run's evaluators. `leftOut`: why examples have no scores. */
  async rescore(
    known: Known,
    file: string,
    lines: readonly number[],
  ): Promise<{ marks: ExampleMark[]; leftOut: string[] }> {
    const record = this.recordOf(known);
    const images = [...record.images];
    const scored: (OwnReport & { marks: EvaluatorMark['mark'][] })[] = [];
    const leftOut = new Set<string>();
    // Only one evaluator scores at a time, because each needs memory.
    for (const own of await this.reportsOf(record, known.probe)) {
      const asked = { report: own.report, file, lines: [...lines], images };
      const answer = await this.reader.rescore(asked, record.evaluators);
      scored.push({ ...own, marks: answer.marks });
      for (const reason of answer.leftOut) leftOut.add(localized(reason));
    }
    return { marks: combined(scored), leftOut: [...leftOut] };
  }

  /** The influence of each word of a caption on its score by the run's first evaluator. Undefined if none scored it. */
  async wordInfluence(
    known: Known,
    { evaluators = [] }: ExampleMark,
    caption: string,
    signal: AbortSignal,
  ): Promise<WordInfluences | undefined> {
    const [own] = evaluators;
    if (own?.mark.index === undefined || isReportFile(known.id)) return undefined;
    const { report, mark } = own;
    const record = this.recordOf(known);
    const images = [...record.images];
    const { image } = await this.reader.rows('detail', { report, index: mark.index! }, images);
    const against = mark.captions.find(({ text }) => text !== caption)?.text ?? caption;
    const asked = { report, caption, against, images, ...(image === undefined ? {} : { image }) };
    return this.reader.wordInfluence(asked, record.evaluators, { signal });
  }

  /** The reports of the results, one per evaluator. */
  reports(known: Known): Promise<OwnReport[]> {
    return this.reportsOf(this.recordOf(known), known.probe);
  }

  private recordOf({ id }: Known): RunRecord {
    if (isReportFile(id)) throw inputError(say('editor.resultsFromReportFile'), say('editor.auditToRescore'));
    const record = this.runs.byId(id);
    if (record === undefined || record.reports.length === 0)
      throw inputError(say('editor.reportGone'), say('editor.runAuditAgain'));
    return record;
  }

  /** The reports of one probe of the run, one per evaluator. */
  private async reportsOf(record: RunRecord, probe: string): Promise<OwnReport[]> {
    const paths = this.runs.reportPaths(record);
    const key = JSON.stringify([record.endedAt, paths]);
    const reports = this.kept.get(key) ?? this.readReports(record, paths);
    // The most recently used reports come last.
    this.kept.delete(key);
    this.kept.set(key, reports);
    for (const other of [...this.kept.keys()].slice(0, -mostKept)) this.kept.delete(other);
    try {
      return (await reports).filter((report) => report.probe === probe);
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }

  private async readReports(record: RunRecord, paths: readonly string[]): Promise<OwnReport[]> {
    const all = await Promise.all(
      paths.map(async (path) => viewOf(path, await readReport(path), record.titles)),
    );
    return toldApart(all).map(({ key: report, evaluator, probe }) => ({ report, evaluator, probe }));
  }
}

export type WordInfluences = Awaited<ReturnType<Reader['wordInfluence']>>;

type OwnReport = Pick<EvaluatorMark, 'evaluator' | 'report'> & { probe: string };

/** How to update a probe's result for an edited caption. A probe that ranks a gallery needs a new run. */
function againOf(probe: string): Known['again'] {
  return viewFor(probe).mode === 'gallery' ? 'rerun' : 'rescore';
}

function lensWords(record: RunRecord, probe: string, isBrief: boolean): Pick<Known, 'words' | 'isMute'> {
  const { probes, sentences, sentence, figure } = record;
  // Earlier versions of Captious saved only one verdict for all probes.
  const all = probes.length === 1 ? (sentence ?? figure) : undefined;
  const brief = sentences?.[probe];
  const verdict = isBrief ? (brief ?? all) : (all ?? brief);
  const words = `${titleOf(record, probe)} ${shortDay(dateOf(record))}: ${verdict ?? evaluatorNames([record])}`;
  return { words, isMute: verdict === undefined };
}
