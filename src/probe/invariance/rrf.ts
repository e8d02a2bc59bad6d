import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { bcaIntervals } from '../../stats/bootstrap';
import { numberClusters } from '../../stats/clustering';
import { isDefined } from '../../stats/outcome';
import { intervalSeed, tooFewImages } from '../inference/interval';
import type { Metric, Slice } from '../metric';
import { countsOf, type Units, widerOf } from '../inference/units';

/** Gaps in percent of the evaluator's range. */
export const gaps = [0.3, 0.5, 0.7, 1] as const;

/**
 * RRF (flip risk): the share of ordered pairs of shifts whose second shift exceeds the first by more than a gap.
 * Two systems whose scores differ by the gap would then swap ranks.
 */
export class FlipRisks {
  /** The cluster of each sorted shift. */
  private readonly clusterAt: Uint32Array;
  /** The number of shifts of each cluster. */
  private readonly sizes: Float64Array;
  /** For each gap and each sorted shift: the index of the first shift that is larger by more than the gap. */
  private readonly beyond: Uint32Array[];
  /** For each position in the sorted shifts: the number of shifts in a sample at this position or later. */
  private readonly from: Float64Array;
  /** For each position in the sorted shifts: how often a sample contains this shift. */
  private readonly own: Float64Array;

  constructor(
    shifts: Float64Array,
    gaps: readonly number[],
    clusters: Uint32Array,
    readonly clusterCount: number,
  ) {
    const n = shifts.length;
    const order = Uint32Array.from(shifts.keys()).sort((a, b) => shifts[a] - shifts[b] || a - b);
    this.clusterAt = order.map((row) => clusters[row]);
    this.sizes = new Float64Array(clusterCount);
    for (const cluster of clusters) this.sizes[cluster]++;
    this.from = new Float64Array(n + 1);
    this.own = new Float64Array(n);
    this.beyond = gaps.map((gap) => {
      const beyond = new Uint32Array(n);
      let to = 0;
      for (let from = 0; from < n; from++) {
        while (to < n && !(shifts[order[to]] - shifts[order[from]] > gap)) to++;
        beyond[from] = to;
      }
      return beyond;
    });
  }

  /** For each gap, the share of ordered pairs (with equal ones) whose second shift is that much larger. */
  values(): Float64Array {
    const out = new Float64Array(this.beyond.length);
    this.of(new Float64Array(this.clusterCount).fill(1), out);
    return out;
  }

  /**
   * Writes each gap's share in a bootstrap sample to `out`. `times` is how often the sample contains each cluster.
   * Pairs of a shift with its copies in the sample are skipped, because they would make scores look more stable.
   */
  of(times: Float64Array, out: Float64Array): void {
    const { clusterAt, from, own, sizes } = this;
    const n = clusterAt.length;
    let [rows, repeats] = [0, 0];
    for (let c = 0; c < times.length; c++) {
      rows += times[c] * sizes[c];
      repeats += times[c] * times[c] * sizes[c];
    }
    for (let at = n - 1, after = 0; at >= 0; at--) from[at] = after += own[at] = times[clusterAt[at]];
    const others = rows * rows - repeats;
    for (const [gap, beyond] of this.beyond.entries()) {
      // `pairs` and `odd` are whole numbers, so their sum is exact in any order.
      let [pairs, odd] = [0, 0];
      for (let at = 0; at < n - 1; at += 2) {
        pairs += own[at] * from[beyond[at]];
        odd += own[at + 1] * from[beyond[at + 1]];
      }
      pairs += odd + (n % 2 === 1 ? own[n - 1] * from[beyond[n - 1]] : 0);
      // Of the n² pairs, n compare a shift with itself. They count, but their difference never exceeds a gap.
      out[gap] = others === 0 ? 0 : (pairs / others) * (1 - 1 / n);
    }
  }
}

export function* flipRiskMetrics(
  prefix: string,
  shifts: Float64Array,
  units: Units,
  slice: Slice | undefined,
  of: readonly number[] = gaps,
): Steps<Metric[]> {
  const risksOf = (clusters: readonly (number | string)[]) => {
    const numbered = numberClusters(clusters);
    return new FlipRisks(
      shifts,
      of.map((gap) => gap / 100),
      numbered.of,
      numbered.count,
    );
  };
  const intervalsOf = (risks: FlipRisks) =>
    bcaIntervals(
      {
        ...{ clusters: risks.clusterCount, count: of.length, work: shifts.length },
        of: (times, out) => risks.of(times, out),
      },
      { seed: intervalSeed },
    );
  const risks = risksOf(units.images);
  yield;
  const values = risks.values();
  const intervals = yield* intervalsOf(risks);
  const byText = units.texts === undefined ? undefined : yield* intervalsOf(risksOf(units.texts));
  const counts = countsOf(units);
  return of.map((gap, i) => {
    const metric: Metric = {
      id: `${prefix}.rrf@${gap === 1 ? '1.0' : gap}`,
      value: null,
      n: shifts.length,
      ...counts,
    };
    if (slice !== undefined) metric.slice = slice;
    if (shifts.length === 0) return { ...metric, note: say('invariance.noPairs') };
    metric.value = values[i];
    const interval = widerOf(units, tooFewImages(risks.clusterCount) ?? intervals[i], byText?.[i]);
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  });
}
