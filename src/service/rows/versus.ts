import type { Line } from '../../protocol/rows';
import type { Side } from '../../protocol/parts/chart';
import type { RowIndex } from './rowIndex';

const known = new WeakMap<RowIndex, WeakMap<RowIndex, Int32Array>>();

/** Matches the table lines of a report with those of another evaluator's report. */
export class Versus {
  /** For each table line, its index in the other report; −1 if the other report lacks the line. */
  private readonly matches: Int32Array;

  constructor(
    private readonly own: RowIndex,
    readonly other: RowIndex,
  ) {
    const matches = known.get(own)?.get(other) ?? matchesOf(own, other);
    const others = known.get(own) ?? new WeakMap<RowIndex, Int32Array>();
    known.set(own, others.set(other, matches));
    this.matches = matches;
  }

  /** The line's index in the other report; undefined if that report lacks the line. */
  match(at: number): number | undefined {
    return this.matches[at] < 0 ? undefined : this.matches[at];
  }

  /** Which evaluators are right; undefined unless both lines have a verdict. A tie does not count as right. */
  side(at: number): Side | undefined {
    const match = this.match(at);
    if (match === undefined) return undefined;
    const [first, second] = [this.own.verdict(at), this.other.verdict(match)];
    if (first === 'none' || second === 'none') return undefined;
    if (first === 'right') return second === 'right' ? 'both' : 'onlyFirst';
    return second === 'right' ? 'onlySecond' : 'neither';
  }

  /**
   * The other evaluator's result for a line. It has no score if its comparison is of another image or text than `own`,
   * such as its own first result: the score would stand beside a text that it is not of.
   */
  async beside(at: number, own: Pick<Line, 'image' | 'after'>): Promise<Line['beside']> {
    const match = this.match(at);
    if (match === undefined) return undefined;
    const { other } = this;
    const line = other.view.line(await other.row(match), other.sub.data[match]);
    const { label, score, delta, verdict } = line;
    return {
      label,
      ...(score === undefined || line.image !== own.image || line.after !== own.after ? {} : { score }),
      ...(delta === undefined ? {} : { delta }),
      verdict,
    };
  }
}

/** Lines with equal keys are matched in their order. */
function matchesOf(own: RowIndex, other: RowIndex): Int32Array {
  const first = new Map<number, number>();
  const next = new Int32Array(other.count);
  for (let at = other.count - 1; at >= 0; at--) {
    const key = other.key(at);
    next[at] = first.get(key) ?? -1;
    first.set(key, at);
  }
  return Int32Array.from({ length: own.count }, (_, at) => {
    const key = own.key(at);
    const match = first.get(key) ?? -1;
    if (match >= 0) first.set(key, next[match]);
    return match;
  });
}
