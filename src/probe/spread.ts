/*
 * Expresses metrics in units of an evaluator's spread, so that evaluators with other units can be compared. The spread
 * is the standard deviation of an evaluator's scores over mismatched pairs.
 */
import { largest } from '../base/extent';
import { say, type Words } from '../base/say';
import type { WantKind } from '../protocol/item';
import { leastImages } from '../stats/decisions/smallSample';
import { imagesOf, type Metric, type Unit, type Claim } from './metric';
import type { ProbeView, RowView } from './view';
import { relativeId } from '../protocol/parts/spreads';

export interface Spread {
  /** The standard deviation. Null if it is not defined; `note` then has the reason. */
  value: number | null;
  /** The mean score of the mismatched pairs. */
  mean: number | null;
  kind: WantKind;
  pairs: number;
  /** The standard error of the logarithm of `value`. Absent if the images are too few to estimate it. */
  error?: number;
  /** What each image contributes to the logarithm of `value`, for the standard errors of comparisons. */
  influence?: Readonly<Record<string, number>>;
  note?: Words;
}

export type DefinedSpread = Spread & { value: number; mean: number };

export function isDefinedSpread(spread: Spread | undefined): spread is DefinedSpread {
  return spread !== undefined && spread.value !== null && spread.mean !== null;
}

/** What a metric is, if it is in units of the score. Rates, ranks and percentages are not. */
export function unitOf({ unit }: Pick<ProbeView, 'unit'>, id: string): Unit | undefined {
  return id === 'judge.spread' ? 'difference' : unit?.(id);
}

/** Adds the relative form after each metric in units of the score. Without a spread, returns the metrics. */
export function withRelative(
  view: Pick<ProbeView, 'unit'>,
  metrics: readonly Metric[],
  spread: Spread | undefined,
): Metric[] {
  if (!isDefinedSpread(spread)) return [...metrics];
  return metrics.flatMap((metric) => {
    const unit = unitOf(view, metric.id);
    return unit === undefined ? [metric] : [metric, relative(metric, unit, spread)];
  });
}

/** The normal quantile for 97.5 %. It is a constant because the browser's bundle contains this module. */
const quantile = 1.959963984540054;

/**
 * A metric divided by the spread. The interval combines the errors of the metric and of the spread, as if they were
 * independent (method of variance estimates recovery).
 */
function relative(
  { id, value, ci, note, draws, ...metric }: Metric,
  unit: Unit,
  spread: DefinedSpread,
): Metric {
  const out: Metric = { id: relativeId(id), value: null, ...metric };
  const origin = unit === 'level' ? spread.mean : 0;
  if (value === null) return { ...out, ...(note === undefined ? {} : { note }) };
  const moved = value - origin;
  out.value = moved / spread.value;
  if (draws !== undefined)
    out.draws = draws.map((draw) => (draw === null ? null : (draw - origin) / spread.value));
  if (ci !== undefined && spread.error === undefined)
    out.note = say('probe.noInterval', say('spread.errorUnknown'));
  else if (ci !== undefined) {
    const ofMean = unit === 'level' ? spread.value / Math.sqrt(spread.pairs) : 0;
    const slack = quantile * Math.hypot(moved * spread.error!, ofMean);
    const reach = (end: number): number => Math.hypot(value - end, slack) / spread.value;
    out.ci = [out.value - reach(ci[0]), out.value + reach(ci[1])];
  } else if (note !== undefined) out.note = note;
  return out;
}

/** The view of a report's rows. Marks in the editor show changes in spreads, so that those of several evaluators compare. */
export function markedBySpread(rows: RowView, spread: Spread | undefined): RowView {
  return isDefinedSpread(spread) ? { ...rows, mark: (row) => rows.mark(row, spread.value) } : rows;
}

/** The only verdict on an evaluator with one score for all. `repeat`: the test before the run. */
export function constantClaim(
  view: Pick<ProbeView, 'unit' | 'ofRange'>,
  metrics: readonly Metric[],
  { spread, repeat }: { spread?: Spread; repeat?: { pairs: number; constant?: boolean } },
): Claim | undefined {
  // A metric of shared words may score mismatched pairs alike, and others not.
  const differences = metrics.filter(
    ({ id }) => unitOf(view, id) === 'difference' && view.ofRange?.(id) !== true,
  );
  if (!differences.every(({ value }) => value === null || value === 0)) return undefined;
  const text = say('probe.constantScores');
  if (spread?.value === null && spread.pairs >= leastPairsForConstant)
    return { text, rule: say('probe.constantSample', spread.pairs) };
  const whole = metrics.filter(({ slice }) => slice === undefined);
  if (whole.some(({ n, ties = n }) => ties < n)) return undefined;
  if (repeat?.constant === true && whole.some(isWithoutOrder))
    return { text, rule: say('probe.constantRepeat', repeat.pairs) };
  const ties = whole.filter(({ n, ties, value }) => ties === n && value === 0);
  return spread === undefined && ties.some((one) => imagesOf(one) >= leastImages)
    ? { text: say('probe.onlyTies'), rule: say('probe.onlyTiesSample', largest(ties.map(({ n }) => n))) }
    : undefined;
}

/** Whether a metric shows that equal scores decide nothing: no comparison is won, or a correlation is not defined. */
function isWithoutOrder({ n, ties, value }: Metric): boolean {
  return ties === undefined ? n > 1 && value === null : ties > 0 && (value === null || value === 0);
}

/** Fewer equal scores may be chance, for example of a metric with few values. */
const leastPairsForConstant = 100;

/** A sentence for reports without a spread. Undefined if the spread is defined. */
export function spreadWarning(spread: Spread): Words | undefined {
  return spread.value !== null ? undefined : say('probe.spreadUnknown', spread.note ?? '');
}
