import { bcaInterval } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { intervalSeed } from '../figure';
import type { Metric, Slice } from '../metric';

/** Gaps in percent of the evaluator's range. */
export const gaps = [0.3, 0.5, 0.7, 1] as const;

/**
 * RRF: the share of pairs of independently drawn shifts whose difference exceeds a gap. Two systems whose
 * scores differ by the gap would then swap ranks.
 */
export class FlipRisk {
  private readonly order: Uint32Array;
  /** For each row, its shift's position among the sorted shifts. */
  private readonly place: Uint32Array;
  /** For each sorted shift, the index of the first shift above it by more than the gap. */
  private readonly beyond: Uint32Array;
  /** For each position, how many of a sample's shifts are at this position or later. */
  private readonly from: Float64Array;

  constructor(
    private readonly shifts: Float64Array,
    gap: number,
  ) {
    const n = shifts.length;
    this.order = Uint32Array.from(shifts.keys()).sort((a, b) => shifts[a] - shifts[b] || a - b);
    this.place = new Uint32Array(n);
    this.order.forEach((row, at) => (this.place[row] = at));
    this.beyond = new Uint32Array(n);
    this.from = new Float64Array(n + 1);
    let to = 0;
    for (let from = 0; from < n; from++) {
      while (to < n && !(shifts[this.order[to]] - shifts[this.order[from]] > gap)) to++;
      this.beyond[from] = to;
    }
  }

  /** The share over all pairs, including each shift with itself. */
  value(): number {
    return this.of(Uint32Array.from(this.shifts.keys()));
  }

  /**
   * The share over a bootstrap sample. Pairs of a row with itself or its copy are skipped, because they would
   * make scores look more stable.
   */
  of(rows: Uint32Array): number {
    const n = this.shifts.length;
    const from = this.from.fill(0);
    for (const row of rows) from[this.place[row]]++;
    let pairs = 0;
    let repeats = 0;
    for (let at = n - 1; at >= 0; at--) {
      const own = from[at];
      from[at] = own + from[at + 1];
      pairs += own * from[this.beyond[at]];
      repeats += own * own;
    }
    const others = rows.length * rows.length - repeats;
    // n of the n² pairs compare a shift with itself, which never exceeds a gap.
    return others === 0 ? 0 : (pairs / others) * (1 - 1 / n);
  }
}

export function flipRiskMetrics(
  prefix: string,
  shifts: Float64Array,
  clusters: Uint32Array,
  slice: Slice | undefined,
  of: readonly number[] = gaps,
): Metric[] {
  return of.map((gap) => {
    const metric: Metric = { id: `${prefix}.rrf@${gap === 1 ? '1.0' : gap}`, value: null, n: shifts.length };
    const images = new Set(clusters).size;
    if (images < metric.n) metric.images = images;
    if (slice !== undefined) metric.slice = slice;
    if (shifts.length === 0) return { ...metric, note: 'No pairs.' };
    const risk = new FlipRisk(shifts, gap / 100);
    metric.value = risk.value();
    const interval = bcaInterval({
      rows: shifts.length,
      statistic: (rows) => risk.of(rows),
      clusters,
      seed: intervalSeed,
    });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  });
}
