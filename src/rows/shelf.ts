import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import type { Transform } from '../perturb/transform';
import type { Answer, Ask, Selection } from '../protocol/rows';
import { chartsOf } from './charts';
import type { RowIndex } from './rowIndex';
import { facetsOf, select } from './select';

/** Reports that are open at the same time, and lines in them all; the one not asked for longest is put back. */
const kept = 4;
const linesKept = 2_000_000;
/** More than fits on any screen, little enough to be quick. */
const marksAtOnce = 600;

interface Open {
  /** Tells when the report was written anew. */
  stamp: string;
  index: RowIndex;
  /** The last selection, in order, because scrolling asks for it again and again. */
  last?: { key: string; lines: Uint32Array };
}

export type RowsAsk = Exclude<Ask, { type: 'photo' | 'whatIf' }>;

/** How reports are reached, by the names they are asked about with. */
export interface ReportFiles {
  /** Another one when the report was written anew. */
  stamp(report: string): Promise<string>;
  open(report: string): Promise<RowIndex>;
}

/** Answers what is asked about the rows of reports, one thing after the other. */
export class Shelf {
  private readonly open = new Map<string, Open>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly files: ReportFiles) {}

  answer(ask: RowsAsk): Promise<Answer> {
    return this.inTurn(() => this.answerNow(ask));
  }

  /** What the line at an index of a report does to its photo. */
  transforms(report: string, at: number): Promise<Transform[]> {
    return this.inTurn(async () => {
      const { index } = await this.entry(report);
      if (at >= index.count) throw gone(index.path);
      return index.view.transforms?.(await index.row(at), index.sub.data[at]) ?? [];
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work);
    this.last = next.catch(() => undefined);
    return next;
  }

  private async answerNow(ask: RowsAsk): Promise<Answer> {
    const entry = await this.entry(ask.report);
    const { index } = entry;
    switch (ask.type) {
      case 'facets':
        return {
          type: 'facets',
          facets: facetsOf(index),
          count: index.count,
          leftOut: index.leftOut.words(index.path.split(/[\\/]/).at(-1)!),
        };
      case 'lines': {
        const chosen = linesOf(entry, ask.selection);
        const shown = chosen.subarray(ask.offset, ask.offset + ask.limit);
        const lines = await Promise.all(
          Array.from(shown, async (at) => ({
            index: at,
            ...index.view.line(await index.row(at), index.sub.data[at]),
          })),
        );
        return { type: 'lines', total: chosen.length, lines };
      }
      case 'charts':
        return { type: 'charts', charts: chartsOf(index, ask.selection) };
      case 'detail': {
        if (ask.index >= index.count) throw gone(index.path);
        const detail = index.view.detail(await index.row(ask.index), index.sub.data[ask.index]);
        return { type: 'detail', detail: { index: ask.index, ...detail } };
      }
      case 'marks': {
        const rows = index.rowsBetween(ask.from, ask.to, marksAtOnce);
        const marks = await Promise.all(
          rows.map(async (row) => ({
            line: index.lineOfRow(row),
            index: index.firstIndex(row),
            ...index.view.mark(await index.rowAt(row)),
          })),
        );
        return { type: 'marks', marks };
      }
      case 'find':
        return { type: 'find', index: find(index, ask.line) };
    }
  }

  private async stampOf(path: string): Promise<string> {
    try {
      return await this.files.stamp(path);
    } catch (cause) {
      throw new CaptiousError('input', say`The report cannot be read: ${wordsOf(cause)}.`, {
        at: path,
        remedy: say`Run the audit again.`,
        cause,
      });
    }
  }

  private async entry(path: string): Promise<Open> {
    const stamp = await this.stampOf(path);
    let entry = this.open.get(path);
    this.open.delete(path);
    if (entry?.stamp !== stamp) {
      await entry?.index.close();
      entry = { stamp, index: await this.files.open(path) };
    }
    this.open.set(path, entry);
    let lines = [...this.open.values()].reduce((sum, { index }) => sum + index.count, 0);
    for (const [oldest, { index }] of this.open) {
      if (oldest === path || (this.open.size <= kept && lines <= linesKept)) break;
      lines -= index.count;
      this.open.delete(oldest);
      await index.close();
    }
    return entry;
  }
}

function linesOf(entry: Open, selection: Selection): Uint32Array {
  const key = JSON.stringify(selection);
  if (entry.last?.key !== key) entry.last = { key, lines: select(entry.index, selection) };
  return entry.last.lines;
}

/** The line of the table that belongs to a line of the dataset file: the last one that starts at or before it. */
function find(index: RowIndex, line: number): number | null {
  let best: number | null = null;
  for (let at = 0; at < index.count; at++) {
    const own = index.fileLine(at);
    if (own > 0 && own <= line && (best === null || own > index.fileLine(best))) best = at;
  }
  return best;
}

function gone(path: string): CaptiousError {
  return new CaptiousError('input', say`This row is no longer there: the report was made anew.`, {
    at: path,
    remedy: say`Open the panel again.`,
  });
}
