/** Compares the variants of a family with each other on the same images. */
import { append } from '../../../base/append';
import { pEquals } from '../../../base/pValue';
import { english } from '../../../base/english';
import { say } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { leastClusters } from '../../../stats/decisions/smallSample';
import { holm } from '../../../stats/holm';
import { isDefined } from '../../../stats/outcome';
import { skillingsMack } from '../../../stats/rankTests';
import { median } from '../../../stats/summary';
import { wilcoxonSignedRank } from '../../../stats/wilcoxon';
import { imageInterval } from '../../inference/interval';
import type { Metric } from '../../metric';
import type { Cell } from '../cell';
import { changeOf } from '../../largeChange';

export interface Group {
  name: string;
  cell: Cell;
}

/** The changes of a variant by their baseline, which is one score of one image. */
type Changes = ReadonlyMap<string, { photo: number; change: number; delta: number }>;

/** Two variants on the images that have both, with the mean differences of each image. */
interface Pair {
  first: number;
  second: number;
  changes: Float64Array;
  deltas: Float64Array;
  rows: number;
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
  const all = new Map<string, { photo: number; change: number; delta: number }>();
  for (const { reference, photo, score, against } of shifts)
    all.set(reference, { photo, change: changeOf(score, against)!, delta: score - against });
  return all;
}

export function* pairsOf(changes: readonly Changes[]): Steps<Pair[]> {
  const pairs: Pair[] = [];
  for (const [first, ours] of changes.entries())
    for (let second = first + 1; second < changes.length; second++) {
      yield;
      const byPhoto = new Map<number, { change: number; delta: number; rows: number }>();
      let rows = 0;
      for (const [reference, { photo, change, delta }] of ours) {
        const other = changes[second].get(reference);
        if (other === undefined) continue;
        rows++;
        const own = byPhoto.get(photo) ?? { change: 0, delta: 0, rows: 0 };
        own.change += change - other.change;
        own.delta += delta - other.delta;
        own.rows++;
        byPhoto.set(photo, own);
      }
      if (rows === 0) continue;
      const images = [...byPhoto.values()];
      const deltas = Float64Array.from(images, (own) => own.delta / own.rows);
      const test = images.length < leastClusters ? undefined : wilcoxonSignedRank(deltas);
      pairs.push({
        first,
        second,
        changes: Float64Array.from(images, (own) => own.change / own.rows),
        deltas,
        rows,
        pValue: test === undefined || !isDefined(test) ? null : test.pValue,
      });
    }
  return pairs;
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
  const metric = counted(
    id,
    groups.flatMap(({ cell }) => cell.shifts),
  );
  const parts = connected(groups.length, pairs);
  if (parts.length === 0) return { ...metric, note: english(say('invariance.noVariantPair')) };
  const found = yield* eachOf(parts, function* (part) {
    const blocks = blocksOf(part.map((i) => changes[i]));
    yield;
    return { blocks, test: blocks.length < leastClusters ? undefined : skillingsMack(blocks) };
  });
  const [texts, pValues]: [string[], number[]] = [[], []];
  for (const { blocks, test } of found)
    if (test !== undefined && isDefined(test)) {
      pValues.push(test.pValue);
      texts.push(
        english(
          say('invariance.skillingsMackTest', blocks.length, test.degrees, test.statistic.toPrecision(6)),
        ),
      );
    }
  if (pValues.length === 0)
    return { ...metric, note: english(say('invariance.skillingsMackImpossible', leastClusters)) };
  if (pValues.length > 1) texts.push(english(say('invariance.wordClassesTestedApart')));
  const smallest = pValues.reduce((a, b) => Math.min(a, b));
  return { ...metric, value: Math.min(1, smallest * pValues.length), note: texts.join(' ') };
}

/** One block per image, with the mean change of each variant, or NaN if the image lacks the variant. */
function blocksOf(changes: readonly Changes[]): Float64Array[] {
  const blocks = new Map<number, { sums: Float64Array; rows: Float64Array }>();
  for (const [i, own] of changes.entries())
    for (const { photo, delta } of own.values()) {
      const block = blocks.get(photo) ?? {
        sums: new Float64Array(changes.length),
        rows: new Float64Array(changes.length),
      };
      block.sums[i] += delta;
      block.rows[i]++;
      blocks.set(photo, block);
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
  const metric = counted(
    id,
    groups.flatMap(({ cell }) => cell.shifts),
  );
  if (pairs.length === 0) return { ...metric, note: english(say('invariance.noWordPair')) };
  const sized = pairs.map((pair) => ({ pair, size: median(pair.changes) }));
  const { pair, size } = sized.reduce((most, one) => (Math.abs(one.size) > Math.abs(most.size) ? one : most));
  const names = [groups[pair.first].name, groups[pair.second].name];
  const [low, high] = size > 0 ? [names[1], names[0]] : names;
  const p = adjustedOf(pair);
  const test =
    p === undefined
      ? english(say('invariance.wordPairUntested'))
      : english(say('invariance.wordPairAdjusted', pEquals(p)));
  return {
    ...metric,
    value: Math.abs(size),
    note: english(say('invariance.widestWordPair', low, high, pair.deltas.length, test)),
  };
}

function* pairMetrics(
  prefix: string,
  groups: readonly Group[],
  { first, second, changes, deltas, rows, pValue }: Pair,
  adjusted: number | null,
  tests: number,
): Steps<Metric[]> {
  const shared = {
    n: rows,
    ...(deltas.length < rows ? { images: deltas.length } : {}),
    slice: { variant: groups[first].name, against: groups[second].name },
  };
  function* sized(id: string, values: Float64Array, note: string): Steps<Metric> {
    const metric: Metric = { id, value: median(values), ...shared, note };
    const interval = yield* imageInterval({ values, statistic: 'median' });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = `${note} ${english(say('probe.noInterval', interval.reason))}`;
    return metric;
  }
  return [
    {
      id: `${prefix}.between`,
      value: adjusted,
      ...shared,
      note:
        pValue === null
          ? english(say('invariance.skillingsMackImpossible', leastClusters))
          : english(say('invariance.wordPairTest', tests, pEquals(pValue))),
    },
    yield* sized(`${prefix}.contrast`, changes, english(say('invariance.pairedDifferencePercent'))),
    yield* sized(`${prefix}.contrastDelta`, deltas, english(say('invariance.pairedDifference'))),
  ];
}

function counted(id: string, shifts: Cell['shifts']): Metric {
  const images = new Set(shifts.map(({ photo }) => photo)).size;
  return { id, value: null, n: shifts.length, ...(images < shifts.length ? { images } : {}) };
}
