import type * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { Mark } from '../../protocol/rows';
import type { Known, MarkSource } from './marks';
import type { Reader } from '../../process/readerClient';
import { viewFor } from '../../probe/views';
import { shortDay } from '../dates';
import { dateOf, evaluatorNames, type RunRecord, titleOf } from '../runs/runRecord';
import type { Runs } from '../runs/runs';

/** In pixels. VS Code cuts hovers of more than 100,000 characters, and a larger image could exceed that. */
const hoverSide = 256;

/** Marks from the runs of this workspace. */
export class RunMarks implements MarkSource {
  readonly onDidChange: vscode.Event<unknown>;

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

  async marks(known: Known, from: number, to: number): Promise<Mark[]> {
    const { report, images } = this.source(known);
    return (await this.reader.rows({ type: 'marks', report, from, to }, images)).marks;
  }

  async image(known: Known, index: number): Promise<Uint8Array | undefined> {
    const { report, images } = this.source(known);
    const { detail } = await this.reader.rows({ type: 'detail', report, index }, images);
    const name = detail.change?.image ?? detail.image;
    if (name === undefined) return undefined;
    const changed = detail.cropped ? { changed: index } : {};
    const photo = { type: 'photo', report, name, side: hoverSide, ...changed } as const;
    const { bytes } = await this.reader.rows(photo, images);
    return bytes.length === 0 ? undefined : bytes;
  }

  /** Scores these lines of `file`. `leftOut` gives the reasons for examples without a score. */
  rescore(
    known: Known,
    file: string,
    lines: readonly number[],
  ): Promise<{ marks: Mark[]; leftOut: string[] }> {
    const { report, images, evaluators } = this.source(known);
    return this.reader.rescore({ report, file, lines: [...lines], images: [...images] }, evaluators);
  }

  private source({ id }: Known): { report: string } & Pick<RunRecord, 'images' | 'evaluators'> {
    const record = this.runs.byId(id);
    const report = record && this.runs.reportPaths(record).at(0);
    if (record === undefined || report === undefined)
      throw new CaptiousError('input', say`This report no longer exists.`, {
        remedy: say`Run the audit again.`,
      });
    return { report, images: record.images, evaluators: record.evaluators };
  }
}

/** A probe that ranks a whole gallery cannot rescore a single caption. */
function againOf({ probes }: RunRecord): Known['again'] {
  return viewFor(probes[0]).mode === 'gallery' ? 'rerun' : 'rescore';
}

function lensWords(record: RunRecord): string {
  const titles = record.probes.map((probe) => titleOf(record, probe)).join(', ');
  const day = shortDay(dateOf(record));
  return `${titles} ${day}: ${record.sentence ?? record.figure ?? evaluatorNames([record])}`;
}
