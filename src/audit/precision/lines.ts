/* The table lines of rows, by keys that are equal in the draft and in float32. */
import type { Row } from '../../probe/metric';
import type { PairProbe } from '../../probe/probe';
import type { Verdict } from '../../protocol/rows';

/** A run in lower precision, and how to score some of its examples again in float32. */
export interface Rescoring {
  probe: Pick<PairProbe, 'rows' | 'follow'>;
  seed: number;
  /** The rows of the draft, in the order of the file. */
  rows: () => AsyncIterable<Row>;
  /** Passes on the float32 rows of these examples, in the order of the file. */
  score: (wanted: ReadonlySet<string>, onRow: (row: Row) => void) => Promise<void>;
}

/** A table line: what a probe shows and decides of two scores. */
export interface ScoredLine {
  key: string;
  row: Row;
  sub: number;
  delta: number;
  verdict: Verdict;
  harm: number;
}

export function exampleKey({ row, example }: Pick<Row, 'row' | 'example'>): string {
  return JSON.stringify([row, example]);
}

/** Reads the lines of rows in which two scores are compared. */
export class LineReader {
  private example = '';
  /** How many rows of the example had the same key. */
  private seen = new Map<string, number>();

  constructor(private readonly probe: Rescoring['probe']) {}

  linesOf(row: Row): ScoredLine[] {
    const { rows: view, follow } = this.probe;
    const example = exampleKey(row);
    if (example !== this.example) [this.example, this.seen] = [example, new Map<string, number>()];
    const own = JSON.stringify([row.seed ?? null, view.key?.(row) ?? null]);
    const before = this.seen.get(own) ?? 0;
    this.seen.set(own, before + 1);
    return view.facts(row).flatMap(({ delta, verdict, harm }, sub) => {
      if (delta === undefined) return [];
      // A search may find other texts in float32, whose scores are no change of the draft's.
      const text = follow === undefined ? [] : [view.line(row, sub).after];
      const key = JSON.stringify([example, own, before, view.lineKey?.(row, sub) ?? sub, ...text]);
      return [{ key, row, sub, delta, verdict, harm }];
    });
  }
}
