import type { CallContext } from '../../base/calls';
import { cancelled, type CaptiousError, inputError, throwIfCancelled, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import type { Transform } from '../../perturb/transform';
import type { Row } from '../../probe/metric';
import type { Mark, Results, RowAnswer, RowAsk, RowRequest, Selection } from '../../protocol/rows';
import { chartsOf, sidesOf } from './charts';
import { lineKey } from './lineKey';
import { reachOf } from './order';
import type { RowIndex } from './rowIndex';
import { facetsOf, resultsOf, select } from './select';
import { Versus } from './versus';

/** The largest number of open reports. The least recently used report is closed first. */
const kept = 4;
const linesKept = 2_000_000;
/** The maximum number of marks in one answer: more than a screen shows, but few enough to be fast. */
const marksAtOnce = 600;

/** How many rows before and after a row may be about the same image. */
const near = 8;

interface RowOfLine {
  row: Row;
  /** The index of the row's first table line. */
  first: number;
  near: Row[];
}

interface Open {
  /** Changes when the report is rewritten. */
  stamp: string;
  index: RowIndex;
  /** The last selection's sorted lines, because scrolling requests them repeatedly. */
  last?: { key: string; lines: Uint32Array; results: Results; other?: RowIndex };
  reach?: number;
}

interface Shelved {
  last: Promise<unknown>;
  waiting: Set<Partial<CallContext>>;
  /** Cancels indexing that no request waits for. */
  stop: AbortController;
  open?: Open;
}

/** The requests that need only the rows of reports. */
export type ShelfRequest = Exclude<
  RowRequest,
  'image' | 'whatIf' | 'why' | 'fool' | 'pairs' | 'universal' | 'bestOf' | 'judge' | 'judged'
>;

/** Opens reports by the keys in requests. */
export interface ReportFiles {
  /** Changes when the report is rewritten. */
  stamp(report: string): Promise<string>;
  open(report: string, context?: Partial<CallContext>): Promise<RowIndex>;
}

/** Answers requests about reports' rows: for one report in turn, for different reports concurrently. */
export class Shelf {
  private readonly shelved = new Map<string, Shelved>();

  constructor(private readonly files: ReportFiles) {}

  answer<N extends ShelfRequest>(
    name: N,
    ask: RowAsk<N>,
    context: Partial<CallContext> = {},
  ): Promise<RowAnswer<N>> {
    const { report, selection }: { report: string; selection?: Selection } = ask;
    const answer = async (open: Open, other?: Open): Promise<RowAnswer<N>> =>
      answers[name](open, ask, other && new Versus(open.index, other.index), other);
    const other = selection?.versus?.report;
    if (other === undefined || other === report) return this.inTurn(report, context, answer);
    // The reports are locked in sorted order, because two requests could otherwise wait for each other.
    const [first, second] = [report, other].sort();
    return this.inTurn(first, context, (one) =>
      this.inTurn(second, context, (two) => (first === report ? answer(one, two) : answer(two, one))),
    );
  }

  /** The transforms that a line applies to its image. */
  transforms(report: string, at: number, context: Partial<CallContext> = {}): Promise<Transform[]> {
    return this.inTurn(report, context, async ({ index }) => {
      if (at >= index.count) throw gone(index.path);
      return index.view.transforms?.(await index.row(at), index.sub.data[at]) ?? [];
    });
  }

  /** A table line's row, and the rows near it, of which some may be about the same image. */
  rowOf(report: string, at: number, context: Partial<CallContext> = {}): Promise<RowOfLine> {
    return this.inTurn(report, context, async ({ index }) => {
      if (at >= index.count) throw gone(index.path);
      const own = index.rowOf.data[at];
      const [from, to] = [Math.max(0, own - near), Math.min(index.places.rows, own + near + 1)];
      const rows = Array.from({ length: to - from }, (_, i) => from + i).filter((row) => row !== own);
      return {
        row: await index.rowAt(own),
        first: index.firstIndex(own) ?? at,
        near: await Promise.all(rows.map((row) => index.rowAt(row))),
      };
    });
  }

  /** The first table line of an example in a view whose rows have no other keys; undefined if there is none. */
  indexOf(report: string, example: string, context: Partial<CallContext> = {}): Promise<number | undefined> {
    const key = lineKey(`${JSON.stringify([example, null])} 0`);
    return this.inTurn(report, context, ({ index }) => {
      let at = 0;
      while (at < index.count && index.key(at) !== key) at++;
      return Promise.resolve(at < index.count ? at : undefined);
    });
  }

  /** The texts of a table line's example, as far as rows near the line's row have them. */
  async captionsOf(report: string, at: number, context: Partial<CallContext> = {}): Promise<string[]> {
    const { row, near: others } = await this.rowOf(report, at, context);
    return this.inTurn(report, context, ({ index: { view } }) => {
      const own = others.filter(({ example }) => example === row.example);
      return Promise.resolve([row, ...own].flatMap((each) => view.mark(each).texts));
    });
  }

  async close(): Promise<void> {
    for (const { last, open } of this.shelved.values()) {
      await last;
      await open?.index.close();
    }
    this.shelved.clear();
  }

  private async inTurn<T>(
    report: string,
    context: Partial<CallContext>,
    work: (open: Open) => Promise<T>,
  ): Promise<T> {
    const { signal } = context;
    throwIfCancelled(signal);
    const own = this.shelved.get(report) ?? {
      last: Promise.resolve(),
      waiting: new Set(),
      stop: new AbortController(),
    };
    this.shelved.delete(report);
    this.shelved.set(report, own);
    if (own.stop.signal.aborted) own.stop = new AbortController();
    own.waiting.add(context);
    const leave = (): void => {
      own.waiting.delete(context);
      if (own.waiting.size === 0) own.stop.abort(cancelled());
    };
    signal?.addEventListener('abort', leave, { once: true });
    const turn = own.last.then(async () => {
      throwIfCancelled(signal);
      const open = await this.opened(report, own);
      throwIfCancelled(signal);
      return work(open);
    });
    own.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      signal?.removeEventListener('abort', leave);
      own.waiting.delete(context);
      if (own.open === undefined && own.waiting.size === 0 && this.shelved.get(report) === own)
        this.shelved.delete(report);
    }
  }

  private async stampOf(path: string): Promise<string> {
    try {
      return await this.files.stamp(path);
    } catch (cause) {
      throw inputError(
        say('service.reportUnreadable', wordsOf(cause)),
        say('editor.runAuditAgain'),
        path,
        cause,
      );
    }
  }

  private async opened(path: string, own: Shelved): Promise<Open> {
    const stamp = await this.stampOf(path);
    if (own.open?.stamp !== stamp) {
      const before = own.open;
      own.open = undefined;
      await before?.index.close();
      const step = (): void => {
        for (const context of own.waiting) context.step?.();
      };
      own.open = { stamp, index: await this.files.open(path, { signal: own.stop.signal, step }) };
    }
    await this.putBack();
    return own.open;
  }

  /** Closes the least recently used reports until the limits are met. Skips reports that a request waits for. */
  private async putBack(): Promise<void> {
    const open = [...this.shelved].filter(([, own]) => own.open !== undefined);
    let [count, lines] = [open.length, open.reduce((sum, [, own]) => sum + own.open!.index.count, 0)];
    for (const [path, own] of open) {
      if (count <= kept && lines <= linesKept) return;
      if (own.waiting.size > 0 || own.open === undefined) continue;
      count--;
      lines -= own.open.index.count;
      this.shelved.delete(path);
      await own.open.index.close();
    }
  }
}

/** `versus` and `other` are of the report to compare with. */
const answers: {
  [N in ShelfRequest]: (
    open: Open,
    ask: RowAsk<N>,
    versus?: Versus,
    other?: Open,
  ) => Promise<RowAnswer<N>> | RowAnswer<N>;
} = {
  facets: ({ index }) => ({
    facets: facetsOf(index),
    count: index.count,
    leftOut: index.leftOut.words(index.path.split(/[\\/]/).at(-1)!),
  }),
  async lines(open, { selection, offset, limit }, versus, other) {
    const { index } = open;
    const { lines: chosen, results } = linesOf(open, selection, versus);
    const lines = await Promise.all(
      Array.from(chosen.subarray(offset, offset + limit), async (at) => {
        const line = index.view.line(await index.row(at), index.sub.data[at]);
        return { index: at, ...line, ...(versus && { beside: await versus.beside(at, line) }) };
      }),
    );
    const reach = [open, ...(other === undefined ? [] : [other])].map(
      (each) => (each.reach ??= reachOf(each.index.delta.filled, (at) => each.index.verdict(at) === 'wrong')),
    );
    return { total: chosen.length, results, lines, reach };
  },
  charts: ({ index }, { selection }, versus) => ({
    charts: chartsOf(index, selection, versus),
    ...(versus && { sides: sidesOf(index, selection, versus) }),
  }),
  async detail({ index }, { index: at }) {
    if (at >= index.count) throw gone(index.path);
    const row = await index.row(at);
    const part = row.place?.part;
    return { index: at, ...(part && { part }), ...index.view.detail(row, index.sub.data[at]) };
  },
  marks: ({ index }, { from, to }) =>
    Promise.all(index.rowsBetween(from, to, marksAtOnce).map((row) => markOf(index, row))),
  async miss({ index }, ask) {
    const row = index.miss(ask);
    return row === undefined ? null : markOf(index, row);
  },
  find: ({ index }, { line }) => find(index, line),
};

async function markOf(index: RowIndex, row: number): Promise<Mark> {
  return {
    line: index.lineOfRow(row),
    index: index.firstIndex(row),
    ...index.view.mark(await index.rowAt(row)),
  };
}

function linesOf(entry: Open, selection: Selection, versus?: Versus): NonNullable<Open['last']> {
  const key = JSON.stringify(selection);
  const { last } = entry;
  if (last?.key === key && last.other === versus?.other) return last;
  const lines = select(entry.index, selection, versus);
  const results = resultsOf(entry.index, lines);
  return (entry.last = { key, lines, results, other: versus?.other });
}

/** The first table line of the nearest example at or before `line` of the dataset file. */
function find(index: RowIndex, line: number): number | null {
  let best: number | null = null;
  for (let at = 0; at < index.count; at++) {
    const own = index.fileLine(at);
    if (own > 0 && own <= line && (best === null || own > index.fileLine(best))) best = at;
  }
  return best;
}

function gone(path: string): CaptiousError {
  return inputError(say('service.rowGone'), say('service.reopenReport'), path);
}
