/* Compares several reports: ranks with intervals, probabilities of being the best, and non-inferiority. */
import { CaptiousError, usageError } from '../../base/errors';
import { eachOf, type Steps } from '../../base/turns/steps';
import { say } from '../../base/say';
import { meanTails } from '../../stats/decisions/clusterTest';
import { binomialTails } from '../../stats/distributions';
import { leastImages } from '../../stats/decisions/smallSample';
import { type RankInterval, rankIntervals } from '../../stats/decisions/rankIntervals';
import { unitsOf } from '../../probe/inference/units';
import type { DefinedSpread } from '../../probe/spread';
import { sum } from '../../stats/summary';
import type { PairedDifference } from '../paired';
import type { Basis } from '../scale';
import { type CommonRow, commonRows } from './commonRows';
import type { RowShares } from '../shares';
import { influenceOf } from '../spreadErrors';
import { baseId, isRelative } from '../../protocol/parts/spreads';

export interface MetricRanks {
  metric: string;
  better: 'higher' | 'lower';
  /** The number of rows that all reports have in common, and the number of images of these rows. */
  n: number;
  images: number;
  /** For changed words: the number of captions without the words, if these are drawn instead of images. */
  texts?: number;
  /** The reports whose evaluator is at chance level, so that the metric says nothing about it. They have no rank. */
  groundless?: number[];
  /** Ranks in the order of the reports; absent if there are too few images, or fewer than two reports to rank. */
  ranks?: (RankInterval | null)[];
}

/**
 * Ranks the reports of one dataset by each metric, over the rows that all reports have. `groundlessBy` says which reports
 * cannot be ranked by a metric.
 */
export function* ranksOfReports(
  probe: string,
  reports: readonly RowShares[],
  basis: Basis = { kind: 'raw' },
  groundlessBy: (metric: string) => readonly number[] = () => [],
): Steps<MetricRanks[]> {
  const metrics = yield* commonRows(probe, reports, basis);
  // A metric of which more may be better or worse has no ranks.
  const directed = [...metrics].flatMap(([metric, { better, rows }]) =>
    better === undefined ? [] : [{ metric, better, rows }],
  );
  return yield* eachOf(directed, function* ({ metric, better, rows }): Steps<MetricRanks> {
    const drawn = drawnOf(rows);
    const clusters = [...new Set(drawn)];
    const at = new Map(clusters.map((cluster, i) => [cluster, i]));
    const counts = new Float64Array(clusters.length);
    const sums = reports.map(() => new Float64Array(clusters.length));
    const images = clusters.map(() => new Set<string>());
    for (const [row, { image, values, weight }] of rows.entries()) {
      const i = at.get(drawn[row])!;
      counts[i] += weight;
      images[i].add(image);
      for (const [e, value] of values.entries()) sums[e][i] += weight * value;
    }
    if (basis.kind === 'relative' && isRelative(metric)) addSpreadErrors(sums, images, basis.spreads);
    const all = new Set(rows.map(({ image }) => image)).size;
    const out: MetricRanks = { metric, better, n: sum(counts), images: all };
    if (clusters.length < all) out.texts = clusters.length;
    const without = groundlessBy(metric);
    if (without.length > 0) out.groundless = [...without];
    const ranked = sums.filter((_, e) => !without.includes(e));
    if (clusters.length < leastImages || ranked.length < Math.min(2, reports.length)) return out;
    const ranks = (yield* rankIntervals({ sums: ranked, counts, better })).values();
    out.ranks = reports.map((_, e) => (without.includes(e) ? null : ranks.next().value!));
    return out;
  });
}

/** What is drawn with each row: its image or, if images share captions whose words change, the caption with its images. */
function drawnOf(rows: readonly CommonRow[]): readonly string[] {
  const images = rows.map(({ image }) => image);
  const { texts } = unitsOf(rows);
  const own = new Map(texts?.map((text, i) => [images[i], text]));
  return texts?.every((text, i) => own.get(images[i]) === text) === true ? texts : images;
}

/** Adds to each cluster's sums what its images contribute through the spread, so that resamples have its errors. */
function addSpreadErrors(
  sums: readonly Float64Array[],
  images: readonly ReadonlySet<string>[],
  spreads: readonly DefinedSpread[],
): void {
  for (const [e, own] of sums.entries()) {
    const total = own.reduce((a, b) => a + b, 0);
    const parts = images.map((some) => sum([...some].map((image) => influenceOf(spreads[e], image))));
    const centre = parts.reduce((a, b) => a + b, 0) / images.length;
    for (let i = 0; i < own.length; i++) own[i] -= total * (parts[i] - centre);
  }
}

/** The error rate on one side of a 95 % interval. */
const oneSidedLevel = 0.025;

export interface NonInferiority {
  /** The largest acceptable loss. */
  margin: number;
  /** The one-sided p value. The null hypothesis: the second report is worse by the margin or more. */
  pValue?: number;
  /** Whether the one-sided test at level 0.025 rejects a loss of the margin or more. */
  shown: boolean;
}

/**
 * Tests whether the second report is worse by less than `margin`. With too few images, `shown` is false, except in
 * the anytime test.
 */
export function nonInferiority(of: PairedDifference, margin: number): NonInferiority {
  if (of.better === undefined) return { margin, shown: false };
  if (of.anytime !== undefined) {
    const { ci } = of.anytime;
    return { margin, shown: (of.better === 'higher' ? ci[0] : -ci[1]) > -margin };
  }
  const { better, difference, standardError, degrees, skewness, images, ci, mcNemar, tooFew } = of;
  if (images < leastImages) return { margin, shown: false };
  const sign = better === 'higher' ? 1 : -1;
  if (standardError === undefined && ci !== undefined)
    return { margin, shown: (better === 'higher' ? ci[0] : -ci[1]) > -margin };
  // Too few rows differ for the t-test. An exact binomial test checks instead whether the share of losses is
  // below `margin`.
  if (mcNemar !== undefined && (tooFew === 'discordant' || standardError === undefined)) {
    const losses = better === 'higher' ? mcNemar.onlyFirst : mcNemar.onlySecond;
    const pValue = margin >= 1 ? 0 : binomialTails(losses, images, margin).lower;
    return { margin, pValue, shown: pValue < oneSidedLevel };
  }
  if (standardError === undefined || degrees === undefined) return { margin, shown: false };
  const pValue = meanTails((sign * difference + margin) / standardError, {
    degrees,
    ...(skewness === undefined ? {} : { skewness: sign * skewness }),
  }).upper;
  return { margin, pValue, shown: pValue < oneSidedLevel };
}

/** Returns the margin of a metric; undefined if the metric has none. */
export interface Margins {
  (metric: string): number | undefined;
  /** The metrics that `--margin` names; empty if it has one margin for all. */
  named: readonly string[];
}

/** Parses --margin. "0.02" applies to every metric, "visla.t2t=0.02,lgip.pr=0.05" to the named metrics. */
export function parseMargins(given: string): Margins {
  const number = (text: string): number => {
    const margin = Number(text);
    if (text.trim() !== '' && Number.isFinite(margin) && margin > 0) return margin;
    throw new CaptiousError('usage', say('report.marginInvalid', given));
  };
  if (!given.includes('=')) {
    const margin = number(given);
    return Object.assign(() => margin, { named: [] });
  }
  const named = new Map(
    given.split(',').map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim(), number(at === -1 ? '' : part.slice(at + 1))];
    }),
  );
  const marginOf = (metric: string): number | undefined => {
    if (isRelative(metric) && named.has(baseId(metric)) && !named.has(metric))
      throw usageError(
        say('report.marginNotInSpreads', given, baseId(metric)),
        say('report.giveMarginInSpreads', metric),
      );
    return named.get(metric);
  };
  return Object.assign(marginOf, { named: [...named.keys()] });
}
