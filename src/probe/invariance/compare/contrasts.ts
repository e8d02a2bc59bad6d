/** Compares the variants of a family with each other on the same images. */
import { append } from '../../../base/lists';
import { pEquals } from '../../../base/pValue';
import { say, type Words, inARow, together } from '../../../base/say';
import { allOf, eachOf, type Steps } from '../../../base/turns/steps';
import { leastClusters } from '../../../stats/decisions/smallSample';
import { holm } from '../../../stats/holm';
import { isDefined } from '../../../stats/outcome';
import { skillingsMack } from '../../../stats/rankTests';
import { median } from '../../../stats/summary';
import { wilcoxonSignedRank } from '../../../stats/wilcoxon';
import { imageInterval } from '../../inference/interval';
import type { Metric, Slice } from '../../metric';
import type { Cell } from '../cell';
import { changeOf } from '../../largeChange';
import {
  countsOf,
  largerOf,
  meansBy,
  type Observed,
  unitInterval,
  type Units,
  unitsOf,
  type UnitTest,
  unitWords,
} from '../../inference/units';

export interface Group {
  name: string;
  cell: Cell;
}

/** The changes of a variant by their baseline, which is one score of one image. */
type Changes = ReadonlyMap<string, Change>;

interface Change extends Observed {
  change: number;
  delta: number;
}

/** Two variants on the baselines that have both: the differences of their changes. */
interface Pair {
  first: number;
  second: number;
  changes: readonly number[];
  deltas: readonly number[];
  units: Units;
  /** With one observation per image and, if captions count, per caption. */
  tests: readonly [UnitTest, UnitTest?];
  /** The larger one of the tests. */
  pValue: number | null;
}

/**
 * Whether the variants of a family differ (`between`), and for each pair of variants the median difference on
 * the same images. Only changes from the same score are compared.
 */
export function* contrastMetrics(prefix: string, groups: readonly Group[], hasGap: boolean): Steps<Metric[]> {
  const full = groups.filter(({ cell }) => cell.shifts.length > 0);
  const changes = yield* allChanges(full);
  const pairs = yield* pairsOf(changes);
  const tested = pairs.filter(({ pValue }) => pValue !== null);
  const adjusted = holm(tested.map(({ pValue }) => pValue!));
  const metrics: Metric[] = [yield* overall(`${prefix}.between`, full, changes, pairs)];
  if (hasGap) metrics.push(gap(`${prefix}.gap`, full, pairs, (pair) => adjusted[tested.indexOf(pair)]));
  for (const pair of pairs) {
    const at = tested.indexOf(pair);
    append(metrics, yield* pairMetrics(prefix, full, pair, at === -1 ? null : adjusted[at], tested.length));
  }
  return metrics;
}

/** The p values of `contrastMetrics` before Holm's correction. */
export function* contrastTests(groups: readonly Group[]): Steps<{ between: number | null; pairs: number[] }> {
  const changes = yield* allChanges(groups);
  const pairs = yield* pairsOf(changes);
  return {
    between: (yield* overall('', groups, changes, pairs)).value,
    pairs: pairs.flatMap(({ pValue }) => pValue ?? []),
  };
}

function* allChanges(groups: readonly Group[]): Steps<Changes[]> {
  return yield* eachOf(groups, function* ({ cell }): Steps<Changes> {
    yield;
    return changesOf(cell);
  });
}

export function changesOf({ shifts }: Cell): Changes {
  const all = new Map<string, Change>();
  for (const { reference, image, text, score, against } of shifts)
    all.set(reference, { image, text, change: changeOf(score, against)!, delta: score - against });
  return all;
}

export function* pairsOf(changes: readonly Changes[]): Steps<Pair[]> {
  const pairs: Pair[] = [];
  for (const [first, ours] of changes.entries())
    for (let second = first + 1; second < changes.length; second++) {
      yield;
      const both = [...ours].flatMap(([reference, own]) => {
        const other = changes[second].get(reference);
        return other === undefined
          ? []
          : { ...own, change: own.change - other.change, delta: own.delta - other.delta };
      });
      if (both.length === 0) continue;
      const units = unitsOf(both);
      const deltas = both.map(({ delta }) => delta);
      const byImage = signedRankBy(units.images, deltas);
      const byText = units.texts && signedRankBy(units.texts, deltas);
      pairs.push({
        ...{ first, second, deltas, units, tests: [byImage, byText] },
        changes: both.map(({ change }) => change),
        pValue: largerOf(byText === undefined ? [byImage] : [byImage, byText]),
      });
    }
  return pairs;
}

function signedRankBy(keys: readonly (number | string)[], values: readonly number[]): UnitTest {
  const means = meansBy(keys, values);
  const test = means.length < leastClusters ? undefined : wilcoxonSignedRank(means);
  const pValue = test === undefined || !isDefined(test) ? null : test.pValue;
  return { observations: means.length, side: Math.sign(median(means)), pValue };
}

/** The groups that pairs connect, such as the adjectives and the nouns of a family. */
function connected(count: number, pairs: readonly Pair[]): number[][] {
  const part = Array.from({ length: count }, (_, i) => i);
  for (const { first, second } of pairs) {
    const [from, to] = [part[second], part[first]];
    for (let i = 0; i < count; i++) if (part[i] === from) part[i] = to;
  }
  return [...new Set(part)]
    .map((one) => [...part.keys()].filter((i) => part[i] === one))
    .filter(({ length }) => length > 1);
}

function* overall(
  id: string,
  groups: readonly Group[],
  changes: readonly Changes[],
  pairs: readonly Pair[],
): Steps<Metric> {
  const metric = counted(id, groups);
  const parts = connected(groups.length, pairs);
  if (parts.length === 0) return { ...metric, note: say('invariance.noVariantPair') };
  const [texts, pValues]: [Words[], number[]] = [[], []];
  for (const part of parts) {
    const own = part.map((i) => changes[i]);
    const units = unitsOf(own.flatMap((some) => [...some.values()]));
    const byImage = yield* skillingsMackBy(own, ({ image }) => image);
    const byText = units.texts && (yield* skillingsMackBy(own, ({ text }) => text!));
    const pValue = largerOf(byText === undefined ? [byImage] : [byImage, byText]);
    if (pValue === null) continue;
    pValues.push(pValue);
    const { observations, degrees, statistic } = byImage;
    texts.push(say('invariance.skillingsMackTest', observations, degrees, statistic.toPrecision(6)));
    const words = unitWords([byImage, byText]);
    if (words !== undefined) texts.push(words);
  }
  if (pValues.length === 0)
    return { ...metric, note: say('invariance.skillingsMackImpossible', leastClusters) };
  if (pValues.length > 1) texts.push(say('invariance.wordClassesTestedApart'));
  const smallest = pValues.reduce((a, b) => Math.min(a, b));
  return { ...metric, value: Math.min(1, smallest * pValues.length), note: inARow(texts, ' ') };
}

function* skillingsMackBy(
  changes: readonly Changes[],
  keyOf: (change: Change) => number | string,
): Steps<UnitTest & { degrees: number; statistic: number }> {
  const blocks = blocksOf(changes, keyOf);
  yield;
  const test = blocks.length < leastClusters ? undefined : skillingsMack(blocks);
  const found = test !== undefined && isDefined(test) ? test : { pValue: null, degrees: 0, statistic: 0 };
  return { ...found, observations: blocks.length, side: 0 };
}

/** One block per image (or caption), with the mean change of each variant, or NaN if it lacks the variant. */
function blocksOf(changes: readonly Changes[], keyOf: (change: Change) => number | string): Float64Array[] {
  const blocks = new Map<number | string, { sums: Float64Array; rows: Float64Array }>();
  for (const [i, own] of changes.entries())
    for (const one of own.values()) {
      const block = blocks.get(keyOf(one)) ?? {
        sums: new Float64Array(changes.length),
        rows: new Float64Array(changes.length),
      };
      block.sums[i] += one.delta;
      block.rows[i]++;
      blocks.set(keyOf(one), block);
    }
  return [...blocks.values()]
    .filter(({ rows }) => rows.filter((count) => count > 0).length > 1)
    .map(({ sums, rows }) => sums.map((sum, i) => sum / rows[i]));
}

/** The pair of words whose median difference is largest, in percentage points. */
function gap(
  id: string,
  groups: readonly Group[],
  pairs: readonly Pair[],
  adjustedOf: (pair: Pair) => number | undefined,
): Metric {
  const metric = counted(id, groups);
  if (pairs.length === 0) return { ...metric, note: say('invariance.noWordPair') };
  const sized = pairs.map((pair) => ({ pair, size: median(meansBy(pair.units.images, pair.changes)) }));
  const { pair, size } = sized.reduce((most, one) => (Math.abs(one.size) > Math.abs(most.size) ? one : most));
  const names = [groups[pair.first].name, groups[pair.second].name];
  const [low, high] = size > 0 ? [names[1], names[0]] : names;
  const p = adjustedOf(pair);
  const test =
    p === undefined ? say('invariance.wordPairUntested') : say('invariance.wordPairAdjusted', pEquals(p));
  return {
    ...metric,
    value: Math.abs(size),
    note: say('invariance.widestWordPair', low, high, pair.tests[0].observations, test),
  };
}

/** The sizes of the differences among the images of some objects. They are not tested. */
export function* contrastSizes(prefix: string, groups: readonly Group[], slice: Slice): Steps<Metric[]> {
  const full = groups.filter(({ cell }) => cell.shifts.length > 0);
  return yield* allOf(yield* pairsOf(yield* allChanges(full)), (pair) =>
    pairSizes(prefix, full, pair, slice),
  );
}

function* pairMetrics(
  prefix: string,
  groups: readonly Group[],
  pair: Pair,
  adjusted: number | null,
  of: number,
): Steps<Metric[]> {
  const { tests, pValue } = pair;
  const words = unitWords(tests);
  const notes =
    pValue === null
      ? [words ?? say('invariance.skillingsMackImpossible', leastClusters)]
      : [say('invariance.wordPairTest', of, pEquals(pValue)), ...(words === undefined ? [] : [words])];
  return [
    { id: `${prefix}.between`, value: adjusted, ...sharedBy(groups, pair), note: inARow(notes, ' ') },
    ...(yield* pairSizes(prefix, groups, pair)),
  ];
}

function sharedBy(groups: readonly Group[], { first, second, deltas, units }: Pair, slice?: Slice) {
  const names = { variant: groups[first].name, against: groups[second].name };
  return { n: deltas.length, ...countsOf(units), slice: { ...names, ...slice } };
}

function* pairSizes(prefix: string, groups: readonly Group[], pair: Pair, slice?: Slice): Steps<Metric[]> {
  const { changes, deltas, units } = pair;
  const shared = sharedBy(groups, pair, slice);
  function* sized(id: string, values: readonly number[], note: Words): Steps<Metric> {
    const metric: Metric = { id, value: median(meansBy(units.images, values)), ...shared, note };
    const interval = yield* unitInterval(units, (keys) =>
      imageInterval({ values: meansBy(keys, values), statistic: 'median' }),
    );
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = together(note, say('probe.noInterval', interval.reason));
    return metric;
  }
  return [
    yield* sized(`${prefix}.contrast`, changes, say('invariance.pairedDifferencePercent')),
    yield* sized(`${prefix}.contrastDelta`, deltas, say('invariance.pairedDifference')),
  ];
}

function counted(id: string, groups: readonly Group[]): Metric {
  const shifts = groups.flatMap(({ cell }) => cell.shifts);
  return { id, value: null, n: shifts.length, ...countsOf(unitsOf(shifts)) };
}
