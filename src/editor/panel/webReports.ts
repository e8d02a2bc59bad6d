import * as vscode from 'vscode';
import type { CallContext } from '../../base/calls';
import { CaptiousError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { ShapeError } from '../../base/shape';
import type { PanelState } from '../../protocol/panel';
import type { RowAnswer, RowAsk, RowRequest } from '../../protocol/rows';
import type { Report } from '../../report/report';
import { changedRows, otherRowCount } from '../../report/rowChecks';
import { parseReport } from '../../report/reportShape';
import { readFrom } from '../readFrom';
import { needTrust } from '../trust';
import { datasetOf, isThere, notHere, type ReportFileReader } from './reportSource';
import { markedBySpread } from '../../probe/spread';
import { viewFor } from '../../probe/views';
import { PlainWords } from '../../service/rows/textsInMemory';
import { RowIndex } from '../../service/rows/rowIndex';
import type { RowSource } from '../../service/rows/rowSource';
import { type ReportFiles, Shelf } from '../../service/rows/shelf';

/** Limits in bytes, because a browser has little memory. */
const largestReport = 64_000_000;
const largestRows = 200_000_000;
/** How many bytes of a rows file are parsed at once. */
const chunk = 1 << 20;
const largestImage = 30_000_000;
const imageFolders = ['', 'images', 'photos', 'val2014', 'val2017'];

/** Reads reports and their rows through VS Code's file system, because a browser has no disk and no processes. */
export class WebReports implements ReportFileReader {
  private readonly shelf: Shelf;

  constructor() {
    const files: ReportFiles = {
      stamp: async (report) => {
        const { mtime, size } = await vscode.workspace.fs.stat(vscode.Uri.parse(report, true));
        return `${mtime} ${size}`;
      },
      open: (report, context) => this.open(vscode.Uri.parse(report, true), context),
    };
    this.shelf = new Shelf(files);
  }

  async read(report: vscode.Uri): Promise<Report> {
    const bytes = await readFrom(report, largestReport);
    try {
      return parseReport(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof ShapeError)) throw error;
      // The parser that knows the place of a mistake is too large for the bundle of browsers.
      const what =
        error instanceof ShapeError ? say('editor.reportInvalid', error.what) : say('editor.reportNotJson');
      throw new CaptiousError('input', what, { at: report.path });
    }
  }

  can(): PanelState['can'] {
    return { whatIf: false, export: false, images: true };
  }

  export(): Promise<void> {
    return Promise.reject(notHere());
  }

  async answer<N extends RowRequest>(
    report: vscode.Uri,
    name: N,
    ask: RowAsk<N>,
    context: Partial<CallContext> = {},
  ): Promise<RowAnswer<N>> {
    const answer = async (): Promise<RowAnswer<RowRequest>> => {
      if (name === 'image') return this.image(report, (ask as RowAsk<'image'>).name);
      if (name === 'judge' || name === 'judged') return null;
      if (name === 'whatIf' || name === 'why' || name === 'fool') throw notHere();
      if (name === 'pairs' || name === 'universal' || name === 'bestOf') throw notHere();
      return this.shelf.answer(name, { ...ask, report: report.toString() }, context);
    };
    return (await answer()) as RowAnswer<N>;
  }

  private async open(uri: vscode.Uri, context?: Partial<CallContext>): Promise<RowIndex> {
    const report = await this.read(uri);
    const rows = vscode.Uri.joinPath(uri, '..', report.rows);
    let bytes: Uint8Array;
    try {
      const tooMany = vscode.l10n.t('The rows file of this report is too large for a browser.');
      bytes = await readFrom(rows, largestRows, tooMany);
    } catch (cause) {
      if (cause instanceof CaptiousError) throw cause;
      throw new CaptiousError('input', say('editor.reportRowsUnreadable', wordsOf(cause)), {
        at: rows.path,
        remedy: say('editor.restoreReportRows'),
        cause,
      });
    }
    if ((await sha256Of(bytes)) !== report.rowsSha256) throw changedRows(rows.path);
    const view = markedBySpread(viewFor(report.probe).rows, report.spread);
    const index = new RowIndex(view, sourceOf(rows.path, bytes), new PlainWords());
    await index.fill(context);
    if (index.rowCount !== report.rowCount) throw otherRowCount(rows.path, index.rowCount, report);
    return index;
  }

  /** The bytes of the original image file. The panel scales the image down. */
  private async image(report: vscode.Uri, name: string): Promise<Uint8Array> {
    needTrust();
    const { dataset } = await this.read(report);
    const folder = vscode.Uri.joinPath(await datasetOf(report, dataset.path), '..');
    const folders = [
      ...vscode.workspace
        .getConfiguration('captious', report)
        .get<string[]>('imageFolders', [])
        .flatMap((path) =>
          (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, path)),
        ),
      ...imageFolders.map((path) => vscode.Uri.joinPath(folder, path)),
    ];
    if (!name.split(/[\\/]/).includes('..'))
      for (const candidate of folders.map((uri) => vscode.Uri.joinPath(uri, name)))
        if (await isThere(candidate)) return readFrom(candidate, largestImage);
    throw new CaptiousError('input', say('editor.imageNotFound', name), { at: dataset.path });
  }
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sourceOf(path: string, bytes: Uint8Array): RowSource {
  return {
    path,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += chunk)
        yield await Promise.resolve(bytes.subarray(at, at + chunk));
    },
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}
