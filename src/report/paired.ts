import type { Words } from '../base/say';
import { allOf, eachOf, inTurns, type Steps } from '../base/turns/steps';
import { smallest } from '../base/extent';
import { reporting } from '../probe/list';
import { Clusters } from '../probe/figure';
import { unitsOf } from '../probe/inference/units';
import type { PairedTest, Share } from '../probe/probe';
import { type DefinedSpread } from '../probe/spread';
import type { Row } from '../probe/metric';
import { type Anytime, anytimeDifference } from '../stats/decisions/anytime';
import { clusteredMeanTest, type MeanTest, pOfMean } from '../stats/decisions/clusterTest';
import { clusteredDifferenceTest } from '../stats/decisions/groupTest';
import { isDefined, type Outcome } from '../stats/outcome';
import { leastExpected, leastImages } from '../stats/decisions/smallSample';
import { mean } from '../stats/summary';
import { discordantPairs, type McNemar } from './discordant';
import type { Basis } from './scale';
import { inBasis, type RowShares, rowsInStep, shareKey, sharesByRow } from './shares';
import { withSpreadErrors } from './spreadErrors';
import { isRelative } from '../protocol/parts/spreads';

/** A metric's difference over the rows in both reports. */
export interface PairedDifference {
  metric: string;
  /** Undefined if it is not known which report is better. There is no verdict then. */
  better: 'higher' | 'lower' | undefined;
  /** The number of rows that both reports have. */
  n: number;
  images: number;
  /** For changed words: the number of captions without the words, if images share captions. */
  texts?: number;
  /** The metric of the second report minus the metric of the first report, over these rows. */
  difference: number;
  /** The 95 % interval of the difference. Absent if there are too few images or the test is not defined. */
  ci?: [number, number];
  standardError?: number;
  degrees?: number;
  /** The skewness of the images' contributions to the difference. Set only if the test corrects for it. */
  skewness?: number;
  /**
   * The p value of the two-sided test of the mean difference, clustered by image (and by caption; then the larger p). For
   * a metric with `tests`, the p value of the first test.
   */
  pValue: number;
  /** For metrics that are not means over rows: p values by test name. */
  tests?: PairedTest['tests'];
  /** The reason why `tests` lacks the metric's usual test. */
  note?: Words;
  /** If all values are 0 or 1. */
  mcNemar?: McNemar;
  /** The test that is valid at every sample size. Present on request, for metrics of right or wrong results. */
  anytime?: Anytime;
  /** Set if there are too few images, captions, discordant rows, or drops (or rows without a drop) for a verdict. */
  tooFew?: 'images' | 'texts' | 'discordant' | 'drops';
  /** The better report, if p is below 0.05 and there are enough data. */
  verdict: 'first' | 'second' | 'undecided';
}

/** Whether p can be trusted. With few discordant rows it can, because McNemar's test is exact. */
export function hasP({ tooFew }: Pick<PairedDifference, 'tooFew'>): boolean {
  return tooFew === undefined || tooFew === 'discordant';
}

export const verdictLevel = 0.05;

/** Compares two reports of one probe row by row. Rows in only one report are ignored. */
export async function pairedDifferences(
  id: string,
  first: AsyncIterable<Row>,
  second: AsyncIterable<Row>,
  { signal, ...how }: { basis?: Basis; anytime?: boolean; signal?: AbortSignal } = {},
): Promise<PairedDifference[]> {
  const shares = [await sharesByRow(id, first), await sharesByRow(id, second)] as const;
  return inTurns(differencesIn(id, ...shares, how), signal);
}

export function* differencesIn(
  id: string,
  before: RowShares,
  after: RowShares,
  { basis = { kind: 'raw' }, anytime = false }: { basis?: Basis; anytime?: boolean } = {},
): Steps<PairedDifference[]> {
  const both: { first: Row[]; second: Row[] } = { first: [], second: [] };
  for (const [key, { row }] of after) {
    const other = before.get(key)?.row;
    if (other === undefined || row === undefined) continue;
    both.first.push(other);
    both.second.push(row);
  }
  const tests = both.first.length === 0 ? undefined : reporting(id).pairedTests?.(both.first, both.second);
  const tested = tests === undefined ? [] : yield* tests;
  return [
    ...tested.map(testedDifference),
    ...(yield* comparedShares(id, [before, after], { basis, anytime })),
    ...(yield* dropDifferences(id, before, after)),
  ];
}

/** Compares the shares of two reports, each divided by the spread of its evaluator if the basis says so. */
export function* comparedShares(
  id: string,
  reports: readonly [RowShares, RowShares],
  { basis, anytime }: { basis: Basis; anytime?: boolean },
): Steps<PairedDifference[]> {
  const [first, second] = yield* inBasis(id, reports, basis);
  const spreads = basis.kind === 'relative' ? basis.spreads : undefined;
  return yield* differencesOf(first, second, { anytime, spreads });
}

/**
 * Compares drop rates. A drop rate is the mean drop of the rows that the evaluator gets right before, so the rows of both
 * evaluators are two groups that share images.
 */
function* dropDifferences(id: string, first: RowShares, second: RowShares): Steps<PairedDifference[]> {
  return yield* allOf(reporting(id).drops ?? [], function* ({ metric, from, to }): Steps<PairedDifference[]> {
    const clusters = new Clusters();
    const right = { drops: [] as number[], isSecond: [] as number[], clusters: [] as number[] };
    const images = new Set<number>();
    let n = 0;
    let read = 0;
    for (const [key, { image, shares }] of second) {
      if (read++ % rowsInStep === 0) yield;
      const both = [first.get(key)?.shares ?? [], shares].map((own) =>
        [from, to].map((name) => own.find((share) => share.metric === name)?.value),
      );
      if (both.flat().includes(undefined)) continue;
      n++;
      const cluster = clusters.of(image);
      images.add(cluster);
      for (const [report, [before = 0, after = 0]] of both.entries()) {
        if (before === 0) continue;
        right.drops.push(before - after);
        right.isSecond.push(report);
        right.clusters.push(cluster);
      }
    }
    const of = [0, 1].map((report) => {
      const isOwn = (_: number, i: number): boolean => right.isSecond[i] === report;
      return { drops: right.drops.filter(isOwn), images: new Set(right.clusters.filter(isOwn)).size };
    });
    if (of.some(({ drops }) => drops.length === 0)) return [];
    const difference = mean(of[1].drops) - mean(of[0].drops);
    const fewest = smallest(of.map((own) => own.images));
    const test = clusteredDifferenceTest(right.drops, right.isSecond, right.clusters);
    const pValue = pOfMean(test, difference, fewest);
    const out = { metric, better: 'lower' as const, n, images: images.size, difference, pValue };
    const rate = mean(right.drops);
    const isFew = fewest * Math.min(rate, 1 - rate) < leastExpected;
    return [decided(isFew ? { ...out, tooFew: 'drops' } : out, test)];
  });
}

interface Pairs {
  better: Share['better'];
  first: number[];
  second: number[];
  clusters: number[];
  /** The names of the clusters, for metrics in units of the spread. */
  names?: string[];
  /** The caption of each value of a changed word. */
  texts?: (string | undefined)[];
  /** The caption of each value, if it has several draws. */
  captions?: (string | undefined)[];
}

const emptyPairs = (): Omit<Required<Pairs>, 'better'> => ({
  ...{ first: [], second: [], clusters: [] },
  ...{ names: [], texts: [], captions: [] },
});

interface Asked {
  anytime?: boolean;
  /** The spread of each report, whose errors are errors of metrics in units of the spread. */
  spreads?: readonly DefinedSpread[];
}

export function* differencesOf(
  first: RowShares,
  second: RowShares,
  asked: Asked = {},
): Steps<PairedDifference[]> {
  const clusters = new Clusters();
  const pairs = new Map<string, Pairs>();
  let read = 0;
  for (const [key, { image, shares, caption }] of second) {
    if (read++ % rowsInStep === 0) yield;
    const known = first.get(key)?.shares;
    if (known === undefined) continue;
    const before = new Map(known.map((share) => [shareKey(share), share.value]));
    for (const share of shares) {
      const { metric, value, better, weight = 1, text } = share;
      const old = before.get(shareKey(share));
      if (old === undefined) continue;
      let of = pairs.get(metric);
      if (of === undefined) pairs.set(metric, (of = { better, ...emptyPairs() }));
      for (let i = 0; i < weight; i++) {
        of.first.push(old);
        of.second.push(value);
        of.clusters.push(clusters.of(image));
        of.names?.push(image);
        of.texts?.push(text);
        of.captions?.push(caption);
      }
    }
  }
  return yield* eachOf(pairs, function* ([metric, of]): Steps<PairedDifference> {
    yield;
    return differenceOf(metric, of, asked);
  });
}

function testedDifference({ ci, ...test }: PairedTest): PairedDifference {
  const isFew = test.images < leastImages;
  const isClear = !isFew && test.pValue < verdictLevel;
  return {
    ...test,
    ...(isFew ? { tooFew: 'images' } : { ci }),
    verdict: isClear ? betterSide(test) : 'undecided',
  };
}

type Sides = Pick<PairedDifference, 'difference' | 'better'>;

function betterSide({ difference, better }: Sides): PairedDifference['verdict'] {
  if (better === undefined) return 'undecided';
  return difference > 0 === (better === 'higher') ? 'second' : 'first';
}

export function differenceOf(
  metric: string,
  { better, first, second, clusters, names = [], texts = [], captions = [] }: Pairs,
  { anytime = false, spreads }: Asked = {},
): PairedDifference {
  const values = Float64Array.from(second, (value, i) => value - first[i]);
  const images = new Set(clusters).size;
  const isScaled = spreads !== undefined && isRelative(metric);
  const isBinary = !isScaled && [...first, ...second].every((value) => value === 0 || value === 1);
  const difference = mean(values);
  const uncertain = isScaled
    ? withSpreadErrors(values, names, [mean(first), mean(second)], spreads)
    : { values };
  const testOver = (keys: readonly (number | string)[]) =>
    clusteredMeanTest(uncertain.values, keys, { correctsSkewness: !isBinary, variance: uncertain.variance });
  const units = unitsOf(clusters.map((image, i) => ({ image, text: texts[i] })));
  const test = testOver(units.images);
  const out: Omit<PairedDifference, 'verdict'> = {
    metric,
    better,
    n: values.length,
    images,
    difference,
    pValue: pOfMean(test, difference, images),
  };
  if (units.texts !== undefined) return overTexts(out, units.texts, [test, testOver(units.texts)]);
  if (isBinary) {
    Object.assign(out, discordantPairs(first, second, captions));
    if (anytime) out.anytime = anytimeDifference(values, clusters);
  }
  return decided(out, test);
}

/** The result that also holds with one observation per caption: the larger p value, and both intervals. */
function overTexts(
  out: Omit<PairedDifference, 'verdict'>,
  keys: readonly string[],
  [byImage, byText]: readonly [Outcome<MeanTest>, Outcome<MeanTest>],
): PairedDifference {
  const texts = new Set(keys).size;
  const pOfText = pOfMean(byText, out.difference, texts);
  const found: typeof out = { ...out, texts, pValue: Math.max(out.pValue, pOfText) };
  if (texts < leastImages) found.tooFew = 'texts';
  if (!isDefined(byImage) || !isDefined(byText)) return decided(found, byText);
  const test = pOfText > out.pValue ? byText : byImage;
  const [low, high] = [Math.min(byImage.low, byText.low), Math.max(byImage.high, byText.high)];
  return decided(found, { ...test, low, high });
}

/** Adds the interval and the verdict, if there are enough data. */
function decided(found: Omit<PairedDifference, 'verdict'>, test: Outcome<MeanTest>): PairedDifference {
  const out: PairedDifference = { ...found, verdict: 'undecided' };
  if (out.images < leastImages) out.tooFew = 'images';
  else if (isDefined(test) && out.tooFew !== 'drops' && out.tooFew !== 'texts') {
    out.ci = [test.low, test.high];
    out.standardError = test.standardError;
    out.degrees = test.degrees;
    if (test.skewness !== undefined) out.skewness = test.skewness;
  }
  if (out.tooFew === undefined && out.pValue < verdictLevel) out.verdict = betterSide(out);
  return out;
}
