/*
 * Measures the overlap of top lists that wordings of unrelated captions have. An evaluator that ranks a few images (hubs)
 * first for every text has a high one, without following any meaning.
 */
import { Random } from '../../base/random';
import { allOf, type Steps } from '../../base/turns/steps';
import { say } from '../../base/say';
import type { Held, Ranker } from '../../evaluator/ranking/ranking';
import { packRows } from '../../evaluator/ranking/rows';
import type { StabilityAnswer } from '../../protocol/ranking';
import { clusteredMeanTest, type MeanTest } from '../../stats/decisions/clusterTest';
import { isDefined, notDefined, type Outcome } from '../../stats/outcome';
import { sum } from '../../stats/summary';
import { tooFewImages } from '../inference/interval';
import type { Metric } from '../metric';
import {
  type Family,
  type Query,
  type Result,
  resultsInStep,
  stabilityOf,
  type Weigh,
  wholePairs,
} from './figures';
import { comparisons, type SetName } from './wordings';

/** The captions of a block are compared with each other, so this number tells the floor well from few rankings. */
const inBlock = 11;

/** The floor of more captions is no more certain than the overlaps that are compared with it. */
const mostQueries = 550;

/** Wordings of two captions that share no image, and the shares of their top lists in common, by size. */
export interface UnrelatedPair {
  set: SetName;
  queries: readonly [Query, Query];
  shares: Float64Array;
}

interface Member {
  family: Family;
  /** The family's position, and the wording's in the family. */
  at: number;
  wording: number;
}

interface Block {
  set: SetName;
  members: Member[];
  pairs: [number, number][];
}

/** Blocks of captions in an order drawn with the seed, each caption with one wording. A pair has two labels, as in its set. */
export function blocksOf(
  families: readonly Family[],
  sets: readonly SetName[],
  seed: number,
  isWhole: (at: number, wording: number) => boolean = () => true,
): Block[] {
  return sets.flatMap((set) => {
    const labels = comparisons[set].at(-1)!.split('-');
    const drawn = families
      .flatMap((family, at) => {
        const own = [...family.labels.keys()].filter(
          (w) => labels.includes(family.labels[w]) && isWhole(at, w),
        );
        if (own.length < 2) return [];
        const random = new Random(seed, family.query.text, `unrelated ${set}`);
        return [{ family, at, wording: random.pick(own), place: random.uniform() }];
      })
      .sort((a, b) => a.place - b.place || a.at - b.at)
      .slice(0, mostQueries);
    const count = Math.ceil(drawn.length / inBlock);
    return Array.from({ length: count }, (_, block): Block => {
      const members = drawn.filter((_member, i) => i % count === block);
      const pairs = members.flatMap((a, i) =>
        members.flatMap((b, j): [number, number][] => (j > i && areUnrelated(a, b) ? [[i, j]] : [])),
      );
      return { set, members, pairs };
    }).filter(({ pairs }) => pairs.length > 0);
  });
}

function areUnrelated(a: Member, b: Member): boolean {
  return (
    a.family.query.cluster !== b.family.query.cluster &&
    a.family.labels[a.wording] !== b.family.labels[b.wording]
  );
}

interface Question {
  families: Int32Array;
  pairs: Int32Array;
  sizes: Int32Array;
  top: number;
}

interface Asked {
  families: readonly Family[];
  sets: readonly SetName[];
  sizes: Int32Array;
  seed: number;
}

export function unrelatedByCosine(
  ranker: Ranker,
  gallery: Held,
  { families, sets, sizes, seed }: Asked,
  signal: AbortSignal,
): Promise<UnrelatedPair[]> {
  return compareUnrelated(blocksOf(families, sets, seed), sizes, async (members, question) => {
    const queries = await ranker.hold(packRows(members.map((one) => one.family.rows[one.wording])), signal);
    const found = await ranker.stability({ queries, gallery, ...question }, signal);
    await ranker.drop(queries);
    return found;
  });
}

/** Of the wordings with a score for every image. `ranks` has `count` numbers for each wording, in the order of `starts`. */
export function unrelatedByScores(
  ranker: Ranker,
  scored: {
    count: number;
    ranks: Float64Array;
    without: readonly ReadonlySet<number>[];
    starts: Int32Array;
  },
  { families, sets, sizes, seed }: Asked,
  signal: AbortSignal,
): Promise<UnrelatedPair[]> {
  const { count, ranks, without, starts } = scored;
  const isWhole = (at: number, wording: number): boolean => without[starts[at] + wording].size === 0;
  return compareUnrelated(blocksOf(families, sets, seed, isWhole), sizes, (members, question) => {
    const scores = new Float64Array(members.length * count);
    for (const [i, { at, wording }] of members.entries()) {
      const from = (starts[at] + wording) * count;
      scores.set(ranks.subarray(from, from + count), i * count);
    }
    return ranker.stabilityOfScores({ count, scores, ...question }, signal);
  });
}

/** Ranks the images for the wordings of all blocks, by `rank`. */
async function compareUnrelated(
  blocks: readonly Block[],
  sizes: Int32Array,
  rank: (members: readonly Member[], question: Question) => Promise<StabilityAnswer>,
): Promise<UnrelatedPair[]> {
  if (blocks.length === 0) return [];
  const starts = [0];
  for (const { members } of blocks) starts.push(starts.at(-1)! + members.length);
  const pairs = blocks.flatMap(({ set, members, pairs: own }, b) =>
    own.map(([i, j]) => ({ set, queries: [i, j].map((m) => starts[b] + m), of: [members[i], members[j]] })),
  );
  const { shared } = await rank(
    blocks.flatMap(({ members }) => members),
    {
      families: Int32Array.from(starts),
      pairs: Int32Array.from(pairs.flatMap(({ queries }) => queries)),
      ...{ sizes, top: 1 },
    },
  );
  return pairs.map(({ set, of: [a, b] }, p) => ({
    set,
    queries: [a.family.query, b.family.query],
    shares: Float64Array.from(sizes, (size, s) => shared[p * sizes.length + s] / size),
  }));
}

/** The overlap of a query's wordings, and how often the query counts. */
interface Own<Q> {
  query: Q;
  overlap: number;
  times: number;
}

export interface Beyond {
  /** The mean overlap of unrelated captions. */
  floor: number;
  /** (o − floor) / (1 − floor): 0 if wordings of a caption share no more than unrelated captions, 1 for equal lists. */
  value: number;
  test: Outcome<MeanTest>;
  images: number;
}

/**
 * The overlap beyond that of unrelated captions, with the clustered test of what each query contributes to both means
 * (linearised). Undefined if all lists are equal.
 */
export function beyondUnrelated<Q extends { cluster: number }>(
  own: readonly Own<Q>[],
  pairs: readonly { queries: readonly [Q, Q]; share: number }[],
): Beyond | undefined {
  const total = own.reduce((n, { times }) => n + times, 0);
  if (total === 0 || pairs.length === 0) return undefined;
  const overlap = own.reduce((all, one) => all + one.times * one.overlap, 0) / total;
  const floor = sum(pairs.map(({ share }) => share)) / pairs.length;
  if (floor >= 1) return undefined;
  const value = (overlap - floor) / (1 - floor);
  const pulls = new Map<Q, number>();
  for (const { queries, share } of pairs)
    for (const query of queries) pulls.set(query, (pulls.get(query) ?? 0) + (share - floor) / pairs.length);
  const [values, clusters]: [number[], number[]] = [[], []];
  for (const { query, overlap: one, times } of own) {
    const pull = ((pulls.get(query) ?? 0) * total) / times;
    for (let i = 0; i < times; i++) {
      values.push(value + (one - overlap - (1 - value) * pull) / (1 - floor));
      clusters.push(query.cluster);
    }
  }
  const images = new Set(clusters).size;
  const test =
    tooFewImages(images) === undefined
      ? clusteredMeanTest(values, clusters, { correctsSkewness: true })
      : notDefined(tooFewImages(images)!.reason);
  return { floor, value, test, images };
}

/** The floor and the overlap beyond it: over all sets, and for each set. */
export function* unrelatedMetrics(
  results: readonly Result[],
  unrelated: readonly UnrelatedPair[],
  {
    sets,
    sizes,
    images: imageCount,
    weigh,
  }: { sets: readonly SetName[]; sizes: readonly number[]; images: number; weigh: Weigh },
): Steps<Metric[]> {
  return yield* allOf([undefined, ...sets], (set) =>
    allOf(
      [...sizes.keys()].filter((s) => sizes[s] < imageCount),
      function* (s): Steps<Metric[]> {
        const names = wholePairs(set === undefined ? sets : [set]);
        const own: Own<Query>[] = [];
        for (const [i, { query, pairs }] of results.entries()) {
          if (i % resultsInStep === 0) yield;
          const all = names.flatMap((name) => pairs.get(name) ?? []);
          const times = weigh(query);
          if (all.length > 0 && times > 0)
            own.push({ query, overlap: stabilityOf(all, sizes).local[s], times });
        }
        const pairs = unrelated
          .filter((pair) => set === undefined || pair.set === set)
          .map(({ queries, shares }) => ({ queries, share: shares[s] }));
        yield;
        const slice = set === undefined ? {} : { slice: { set } };
        const n = own.reduce((all, { times }) => all + times, 0);
        const id = `prsm.local@${sizes[s]}`;
        const beyond = beyondUnrelated(own, pairs);
        if (beyond === undefined) {
          const note = say('prsm.noUnrelated');
          return [{ id: `${id}.beyond`, value: null, n, ...slice, note }];
        }
        const { floor, value, test, images } = beyond;
        return [
          {
            ...{ id: `${id}.floor`, value: floor, n: pairs.length, ...slice, chance: sizes[s] / imageCount },
            note: say('prsm.unrelatedOverlap', pairs.length),
          },
          {
            ...{ id: `${id}.beyond`, value, n, ...(images < n ? { images } : {}), ...slice },
            ...(isDefined(test)
              ? { ci: [test.low, test.high] as const, degrees: test.degrees }
              : { note: say('probe.noInterval', test.reason) }),
          },
        ];
      },
    ),
  );
}
