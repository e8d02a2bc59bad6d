/* A metric over the checkpoints of one training run: bands, changes between steps, and the best steps. */
import { usageError } from '../../base/errors';
import { largest, smallest } from '../../base/extent';
import { say } from '../../base/say';
import { chooseFrom } from '../../base/text/nearest';
import { allOf, type Steps } from '../../base/turns/steps';
import { groundlessIn } from '../../probe/ground';
import { unitsOf } from '../../probe/inference/units';
import type { DefinedSpread } from '../../probe/spread';
import { viewFor } from '../../probe/views';
import { baseId, isRelative } from '../../protocol/parts/spreads';
import { clusteredMeanTest } from '../../stats/decisions/clusterTest';
import { simultaneousLevel } from '../../stats/decisions/simultaneous';
import { leastClusters, leastImages } from '../../stats/decisions/smallSample';
import { isDefined } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import { type CommonRow, type CommonRows, commonRows } from '../decisions/commonRows';
import { differenceOf, type PairedDifference, verdictLevel } from '../paired';
import type { Report } from '../report';
import { basisOf, requireComparable } from '../scale';
import type { RowShares } from '../shares';
import { withSpreadErrors } from '../spreadErrors';

interface TrendChange extends Pick<PairedDifference, 'difference' | 'ci' | 'pValue' | 'tooFew'> {
  /** p × k × (k + 1) for the change number k, at most 1. Later steps never alter it. */
  adjusted: number;
  verdict: 'better' | 'worse' | 'undecided';
}

interface TrendStep {
  step: number;
  value: number;
  /** Holds with 95 % for all steps together. Absent if there are too few images, or all have the same value. */
  band?: [number, number];
  /** The change since the step before. */
  change?: TrendChange;
  /** Whether the evaluator is at chance level, so that the value says nothing. */
  groundless?: true;
  /** Whether the step cannot be told from the best one. Absent if there are too few images to say so. */
  inBest?: boolean;
}

export interface Trend {
  metric: string;
  /** The metrics of which the rows have a trend, in the order of the report. */
  metrics: readonly string[];
  better: 'higher' | 'lower';
  n: number;
  images: number;
  /** The step with the best value. Absent if all are at chance level. */
  best?: number;
  steps: TrendStep[];
}

/** Reports in the order of their steps. Throws if a report has no step, or two have the same. */
export function inStepOrder<T extends { step?: number; path: string }>(
  reports: readonly T[],
): (T & { step: number })[] {
  const found = reports.map(({ step, ...report }) => {
    if (step !== undefined) return { ...report, step } as T & { step: number };
    throw usageError(say('report.stepMissing'), say('report.nameSteps'), report.path);
  });
  const sorted = found.sort((a, b) => a.step - b.step);
  const twice = sorted.find(({ step }, i) => step === sorted.at(i + 1)?.step);
  if (twice === undefined) return sorted;
  const paths = sorted.filter(({ step }) => step === twice.step).map(({ path }) => path);
  throw usageError(say('report.stepTwice', twice.step, paths[0], paths[1]), say('report.oneReportPerStep'));
}

/** Throws unless all reports differ in nothing but the evaluator: same probe, dataset, options, seed and limit. */
export function requireOneSeries(reports: readonly Report[]): void {
  const [first, ...others] = reports;
  for (const other of others) {
    const names = [first.evaluator.id, other.evaluator.id] as const;
    if (other.probe !== first.probe)
      throw usageError(say('report.probesDiffer', first.probe, other.probe), say('report.chooseSameProbe'));
    if (other.dataset.sha256 !== first.dataset.sha256)
      throw usageError(say('report.trendDatasetsDiffer', ...names), say('report.trendSameDataset'));
    const settings = [first, other].map(({ options, seed, draws = 1, limit }): Record<string, unknown> => ({
      ...options,
      seed,
      draws,
      limit,
    }));
    for (const key of new Set(settings.flatMap(Object.keys)))
      if (settings[0][key] !== settings[1][key])
        throw usageError(
          say('report.optionDiffers', key, ...names, shown(settings[0][key]), shown(settings[1][key])),
          say('report.useSameOptions'),
        );
  }
  requireComparable(...reports);
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : String(value);
}

export interface TrendChoice {
  /** The metric. Default: the first that is a mean over rows. */
  metric?: string;
  /** The metric if the rows have it. Otherwise the default. */
  preferred?: string;
}

/** The trend of a metric. Reports are in the order of steps. */
export function* trendOf(
  steps: readonly number[],
  reports: readonly Report[],
  shares: readonly RowShares[],
  { metric: asked, preferred }: TrendChoice = {},
): Steps<Trend> {
  const { probe } = reports[0];
  const basis = basisOf(reports);
  const found = yield* commonRows(probe, shares, basis);
  const known = reports[0].metrics.map(({ id }) => id);
  const place = (id: string): number =>
    known.includes(baseId(id)) ? known.indexOf(baseId(id)) : known.length;
  const names = [...found.keys()].sort((a, b) => place(a) - place(b));
  const metrics = names.filter((id) => found.get(id)!.better !== undefined);
  const metric =
    metrics.find((id) => asked === undefined && id === preferred) ??
    names.find((id) => asked === undefined || id === asked || baseId(id) === asked);
  if (metric === undefined)
    throw usageError(
      asked === undefined ? say('report.noRowwiseMetric', probe) : say('report.trendMetricMissing', asked),
      basis.kind === 'none' ? basis.remedy : names.length > 0 ? chooseFrom(asked ?? '', names) : undefined,
    );
  const isScaled = basis.kind === 'relative' && isRelative(metric);
  const trend = yield* trendIn(metric, found.get(metric)!, {
    steps,
    groundless: groundlessIn(viewFor(probe), reports, metric),
    ...(isScaled ? { spreads: basis.spreads } : {}),
  });
  return { ...trend, metrics };
}

interface Series {
  steps: readonly number[];
  /** The positions of steps at chance level. */
  groundless?: readonly number[];
  /** The spread of each step, for metrics in units of the spread. */
  spreads?: readonly DefinedSpread[];
  /** How many draws find the level of the bands. */
  draws?: number;
}

export function* trendIn(metric: string, common: CommonRows, series: Series): Steps<Omit<Trend, 'metrics'>> {
  const { better } = common;
  if (better === undefined)
    throw usageError(say('report.metricUndirected', metric), say('report.sayDirection'));
  const { steps, groundless = [], spreads, draws } = series;
  const rows = common.rows.flatMap((row) => Array.from({ length: row.weight }, () => row));
  const names = rows.map(({ image }) => image);
  const values = steps.map((_, s) => Float64Array.from(rows, (row) => row.values[s]));
  const images = new Set(names).size;
  const bands = images < leastClusters ? [] : yield* bandsOf(values, rows, spreads, draws);
  const compared = (first: number, second: number): PairedDifference =>
    differenceOf(
      metric,
      {
        ...{ better, names, first: [...values[first]], second: [...values[second]] },
        ...{ clusters: numbers(names), texts: rows.map(({ text }) => text) },
      },
      spreads === undefined ? {} : { spreads: [spreads[first], spreads[second]] },
    );
  const means = values.map(mean);
  const sign = better === 'higher' ? 1 : -1;
  const grounded = steps.flatMap((_, s) => (groundless.includes(s) ? [] : [s]));
  const best = grounded.reduce<number | undefined>(
    (top, s) => (top === undefined || sign * means[s] > sign * means[top] ? s : top),
    undefined,
  );
  const inBest =
    images < leastImages || best === undefined ? undefined : yield* notApart(grounded, means, sign, compared);
  const out: TrendStep[] = [];
  for (const [s, step] of steps.entries()) {
    yield;
    out.push({
      ...{ step, value: means[s] },
      ...(bands[s] === undefined ? {} : { band: bands[s] }),
      ...(s === 0
        ? {}
        : { change: changeOf(compared(s - 1, s), s, groundless.includes(s) || groundless.includes(s - 1)) }),
      ...(groundless.includes(s) ? { groundless: true as const } : {}),
      ...(inBest === undefined ? {} : { inBest: inBest.includes(s) }),
    });
  }
  return {
    ...{ metric, better, n: rows.length, images, steps: out },
    ...(best === undefined ? {} : { best: steps[best] }),
  };
}

function numbers(names: readonly string[]): number[] {
  const known = new Map<string, number>();
  return names.map((name) => {
    if (!known.has(name)) known.set(name, known.size);
    return known.get(name)!;
  });
}

/** The shares 1 / (k (k + 1)) of the level sum to one, so that all looks at a growing series have one level together. */
function changeOf(found: PairedDifference, k: number, groundless: boolean): TrendChange {
  const { difference, ci, pValue, tooFew, better } = found;
  const adjusted = Math.min(1, pValue * k * (k + 1));
  const isClear = adjusted < verdictLevel && tooFew === undefined && !groundless;
  const isBetter = difference > 0 === (better === 'higher');
  return {
    ...{ difference, pValue, adjusted },
    ...(ci === undefined ? {} : { ci }),
    ...(tooFew === undefined ? {} : { tooFew }),
    verdict: isClear ? (isBetter ? 'better' : 'worse') : 'undecided',
  };
}

/**
 * The steps that no other step beats. Each step is tested against all others, one-sided with Bonferroni's correction, so
 * the truly best step is left out with at most 5 %.
 */
function* notApart(
  candidates: readonly number[],
  means: readonly number[],
  sign: number,
  compared: (first: number, second: number) => PairedDifference,
): Steps<number[]> {
  const others = candidates.length - 1;
  return yield* allOf(candidates, function* (s): Steps<number[]> {
    for (const other of candidates) {
      if (sign * means[other] <= sign * means[s]) continue;
      yield;
      const { pValue, tooFew } = compared(s, other);
      if (tooFew === undefined && (pValue / 2) * others < verdictLevel) return [];
    }
    return [s];
  });
}

function* bandsOf(
  values: readonly Float64Array[],
  rows: readonly CommonRow[],
  spreads: readonly DefinedSpread[] | undefined,
  draws: number | undefined,
): Steps<([number, number] | undefined)[]> {
  const { images, texts } = unitsOf(rows);
  const names = rows.map(({ image }) => image);
  const of = numbers(names);
  const uncertain = values.map((own, s) =>
    spreads === undefined
      ? { values: own }
      : withSpreadErrors(own, names, [0, mean(own)], [spreads[s], spreads[s]]),
  );
  const residuals = uncertain.map(({ values: own }) => {
    const sums = new Float64Array(new Set(of).size);
    const centre = mean(own);
    for (const [i, value] of own.entries()) sums[of[i]] += value - centre;
    return sums;
  });
  const level = yield* simultaneousLevel(residuals, { draws });
  return uncertain.map(({ values: own, variance }, s) => {
    const isShare = values[s].every((value) => value === 0 || value === 1);
    const [lowest, highest] = isShare ? [0, 1] : [-Infinity, Infinity];
    const ends: [number, number][] = [];
    for (const keys of texts === undefined ? [images] : [images, texts]) {
      const test = clusteredMeanTest(own, keys, { level, variance, correctsSkewness: true });
      if (!isDefined(test)) return undefined;
      ends.push([Math.max(lowest, test.low), Math.min(highest, test.high)]);
    }
    return [smallest(ends.map(([low]) => low)), largest(ends.map(([, high]) => high))];
  });
}
