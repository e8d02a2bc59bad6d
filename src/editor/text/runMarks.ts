import type * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { type ExampleMark, combined, type EvaluatorMark } from './evaluatorMarks';
import type { Known, MarkSource } from './marks';
import type { Reader } from '../../process/readerClient';
import { viewFor } from '../../probe/views';
import { readReport } from '../../report/report';
import { toldApart, viewOf } from '../../rows/panelReport';
import { shortDay } from '../dates';
import { dateOf, evaluatorNames, type RunRecord, titleOf } from '../runs/runRecord';
import type { Runs } from '../runs/runs';

/** In pixels. VS Code cuts hovers of more than 100,000 characters, and a larger image could exceed that. */
const hoverSide = 256;

/** Marks from the runs of this workspace. */
export class RunMarks implements MarkSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** The last dataset's reports, kept because the editor often requests their marks. */
  private last: { key: string; reports: Promise<OwnReport[]> } | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly reader: Reader,
  ) {
    this.onDidChange = (listener, self, disposables) =>
      runs.onDidChange(
        (record) => {
          if (record === undefined || record.state === 'done') listener.call(self, record);
        },
        undefined,
        disposables,
      );
  }

  load(): Promise<void> {
    return this.runs.load();
  }

  latest(uri: vscode.Uri): Known | undefined {
    const record = uri.scheme === 'file' ? this.runs.latest(uri.fsPath) : undefined;
    return record && { id: record.id, words: lensWords(record), again: againOf(record) };
  }

  async marks(known: Known, from: number, to: number): Promise<ExampleMark[]> {
    const record = this.recordOf(known);
    const reports = await Promise.all(
      (await this.reportsOf(record)).map(async ({ report, evaluator }) => {
        const { marks } = await this.reader.rows({ type: 'marks', report, from, to }, record.images);
        return { report, evaluator, marks };
      }),
    );
    return combined(reports);
  }

  async image(known: Known, { evaluators = [] }: ExampleMark): Promise<Uint8Array | undefined> {
    const [own] = evaluators;
    if (own?.mark.index === undefined) return undefined;
    const { images } = this.recordOf(known);
    const { report, mark } = own;
    const { detail } = await this.reader.rows({ type: 'detail', report, index: mark.index! }, images);
    const name = detail.change?.image ?? detail.image;
    if (name === undefined) return undefined;
    const changed = detail.cropped ? { changed: mark.index! } : {};
    const photo = { type: 'photo', report, name, side: hoverSide, ...changed } as const;
    const { bytes } = await this.reader.rows(photo, images);
    return bytes.length === 0 ? undefined : bytes;
  }

  /** Scores these lines of `file` by all evaluators. `leftOut` gives the reasons for examples without a score. */
  async rescore(
    known: Known,
    file: string,
    lines: readonly number[],
  ): Promise<{ marks: ExampleMark[]; leftOut: string[] }> {
    const record = this.recordOf(known);
    const images = [...record.images];
    const scored: (OwnReport & { marks: EvaluatorMark['mark'][] })[] = [];
    const leftOut = new Set<string>();
    // One after the other, because each evaluator needs its own memory.
    for (const own of await this.reportsOf(record)) {
      const asked = { report: own.report, file, lines: [...lines], images };
      const answer = await this.reader.rescore(asked, record.evaluators);
      scored.push({ ...own, marks: answer.marks });
      for (const reason of answer.leftOut) leftOut.add(reason);
    }
    return { marks: combined(scored), leftOut: [...leftOut] };
  }

  private recordOf({ id }: Known): RunRecord {
    const record = this.runs.byId(id);
    if (record === undefined || record.reports.length === 0)
      throw new CaptiousError('input', say`This report no longer exists.`, {
        remedy: say`Run the audit again.`,
      });
    return record;
  }

  /** The reports of the run's first probe, one for each evaluator. */
  private reportsOf(record: RunRecord): Promise<OwnReport[]> {
    const paths = this.runs.reportPaths(record);
    const key = JSON.stringify([record.endedAt, paths]);
    if (this.last?.key === key) return this.last.reports;
    const reports = Promise.all(
      paths.map(async (path) => viewOf(path, await readReport(path), record.titles)),
    ).then((all) =>
      toldApart(all)
        .filter(({ probe }) => probe === all[0].probe)
        .map(({ key: report, evaluator }) => ({ report, evaluator })),
    );
    this.last = { key, reports };
    reports.catch(() => (this.last = undefined));
    return reports;
  }
}

type OwnReport = Pick<EvaluatorMark, 'evaluator' | 'report'>;

/** A probe that ranks a whole gallery cannot rescore a single caption. */
function againOf({ probes }: RunRecord): Known['again'] {
  return viewFor(probes[0]).mode === 'gallery' ? 'rerun' : 'rescore';
}

function lensWords(record: RunRecord): string {
  const titles = record.probes.map((probe) => titleOf(record, probe)).join(', ');
  const day = shortDay(dateOf(record));
  return `${titles} ${day}: ${record.sentence ?? record.figure ?? evaluatorNames([record])}`;
}
