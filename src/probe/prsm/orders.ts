import { append } from '../../base/lists';
import { say, type Words } from '../../base/say';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Ranker, Held } from '../../evaluator/ranking/ranking';
import { packRows } from '../../evaluator/ranking/rows';
import type { ImageItem } from '../../protocol/item';
import type { StabilityAnswer } from '../../protocol/ranking';
import { embedsBoth, pairScores, rerankedBy } from '../pairScores';
import type { GalleryContext } from '../probe';
import type { Family } from './figures';
import { askedPair, type LostWordings } from './measurable';
import { unrelatedByCosine, unrelatedByScores, type UnrelatedPair } from './unrelated';
import type { SetName } from './wordings';

/** The approximate numbers of wordings and of scores that are processed at once. */
const mostWordings = 128;
const mostScores = 1 << 22;

/** How well each pair of wordings agrees. `shares` are those of the top lists; NaN if too few images have both scores. */
export interface Orders extends Omit<StabilityAnswer, 'shared'> {
  shares: Float64Array;
}

interface OrdersAsk {
  families: readonly Family[];
  images: readonly ImageItem[];
  /** The images' embeddings, unused if the evaluator has none. */
  rows: readonly Float32Array[];
  sizes: Int32Array;
  top: number;
  sets: readonly SetName[];
}

/** How well the wordings of each query agree on the order of the images, by cosines or by scores. */
export async function compareOrders(
  context: GalleryContext,
  ranker: Ranker,
  evaluator: Evaluator,
  ask: OrdersAsk,
): Promise<{ answer: Orders; warning?: Words; lost: LostWordings[]; unrelated: UnrelatedPair[] }> {
  const { families, rows, sizes, top } = ask;
  const { signal } = context;
  const gallery = embedsBoth(evaluator) ? await ranker.hold(packRows(rows), signal) : undefined;
  const rerank = rerankedBy(evaluator);
  try {
    if (rerank === undefined) {
      const queries = await ranker.hold(packRows(families.flatMap((family) => family.rows)), signal);
      const starts = startsOf(families);
      const pairs = pairsOf(families, starts);
      const question = { queries, gallery: gallery!, families: starts, pairs, sizes, top };
      const answer = await ranker.stability(question, signal);
      await ranker.drop(queries);
      const unrelated = await unrelatedByCosine(ranker, gallery!, { ...ask, seed: context.seed }, signal);
      return { answer: ordersOf(answer, sizes), lost: [], unrelated };
    }
    const { answer, failed, lost, unrelated } = await compareByScores(context, ranker, evaluator, {
      ...ask,
      gallery,
      rerank,
    });
    if (failed === 0) return { answer, lost, unrelated };
    return { ...{ answer, lost, unrelated }, warning: say('prsm.unscoredPairsLeftOut', failed) };
  } finally {
    if (gallery !== undefined) await ranker.drop(gallery);
  }
}

interface ScoresAsk extends Omit<OrdersAsk, 'rows'> {
  /** The images' embeddings, for the search by cosine. */
  gallery: Held | undefined;
  /** How many of the first results by cosine are reranked by score. Infinity means all. */
  rerank: number;
}

/** Compares the orders by the scores of each wording. `failed` counts pairs without a score. */
async function compareByScores(
  context: GalleryContext,
  ranker: Ranker,
  evaluator: Evaluator,
  ask: ScoresAsk,
): Promise<{ answer: Orders; failed: number; lost: LostWordings[]; unrelated: UnrelatedPair[] }> {
  const parts: Orders[] = [];
  const lost: LostWordings[] = [];
  const unrelated: UnrelatedPair[] = [];
  const count = ask.images.length;
  const most = Math.max(1, Math.min(mostWordings, Math.floor(mostScores / count)));
  let failed = 0;
  for (let from = 0; from < ask.families.length;) {
    let to = from + 1;
    let wordings = ask.families[from].labels.length;
    while (to < ask.families.length && wordings + ask.families[to].labels.length <= most)
      wordings += ask.families[to++].labels.length;
    const part = ask.families.slice(from, to);
    const scores = await scoresOf(context, ranker, evaluator, part, ask);
    const starts = startsOf(part);
    const question = { count, scores: scores.ranks, families: starts, pairs: pairsOf(part, starts) };
    const { sizes, top } = ask;
    const all = await ranker.stabilityOfScores({ ...question, sizes, top }, context.signal);
    const answer = ordersOf(all, sizes);
    if (scores.without.some(({ size }) => size > 0))
      await compareCommon(context, ranker, { ...question, sizes, top, without: scores.without }, answer);
    parts.push(answer);
    const scored = { count, ranks: scores.ranks, without: scores.without, starts };
    const asked = { ...ask, families: part, seed: context.seed };
    append(unrelated, await unrelatedByScores(ranker, scored, asked, context.signal));
    append(lost, lostIn(part, starts, scores, count));
    failed += scores.without.reduce((sum, { size }) => sum + size, 0);
    from = to;
  }
  return { answer: joined(parts), failed, lost, unrelated };
}

/** The wordings without any score, and the queries of which no two wordings have two images in common. */
function lostIn(
  families: readonly Family[],
  starts: Int32Array,
  { without, asked }: Scores,
  count: number,
): LostWordings[] {
  return families.map(({ query, labels, pairs }, f) => {
    const own = without.slice(starts[f], starts[f + 1]);
    const isComparable = ([a, b]: readonly [number, number]): boolean =>
      count - new Set([...own[a], ...own[b]]).size > 1;
    return {
      query,
      all: !pairs.some(isComparable),
      labels: labels.filter((_, i) => own[i].size > 0 && own[i].size === asked[starts[f] + i]),
    };
  });
}

function ordersOf({ shared, ...answer }: StabilityAnswer, sizes: Int32Array): Orders {
  return { ...answer, shares: Float64Array.from(shared, (count, i) => count / sizes[i % sizes.length]) };
}

/**
 * Compares pairs of wordings that lack scores on the images that have both. The top lists keep their share of the images, so
 * that refusals at random do not change the expected overlap.
 */
async function compareCommon(
  { signal }: GalleryContext,
  ranker: Ranker,
  ask: {
    count: number;
    scores: Float64Array;
    pairs: Int32Array;
    sizes: Int32Array;
    top: number;
    without: readonly ReadonlySet<number>[];
  },
  answer: Orders,
): Promise<void> {
  const { count, scores, pairs, sizes, top, without } = ask;
  for (const [q, lacks] of without.entries())
    for (let t = q * top; lacks.size > 0 && t < (q + 1) * top; t++)
      if (lacks.has(answer.topItems[t])) answer.topItems[t] = -1;
  const images = Array.from({ length: count }, (_, item) => item);
  for (let pair = 0; 2 * pair < pairs.length; pair++) {
    const both = [pairs[2 * pair], pairs[2 * pair + 1]];
    if (both.every((q) => without[q].size === 0)) continue;
    const common = images.filter((item) => both.every((q) => !without[q].has(item)));
    const found =
      common.length < 2
        ? undefined
        : await ranker.stabilityOfScores(
            {
              count: common.length,
              scores: Float64Array.from(both.flatMap((q) => common.map((item) => scores[q * count + item]))),
              ...{ families: Int32Array.of(0, 2), pairs: Int32Array.of(0, 1), top: 1 },
              sizes: sizes.map((size) => Math.max(1, Math.round((size * common.length) / count))),
            },
            signal,
          );
    answer.rho[pair] = found?.rho[0] ?? NaN;
    answer.listwise[pair] = found?.listwise[0] ?? NaN;
    sizes.forEach((size, s) => {
      const own = Math.max(1, Math.round((size * common.length) / count));
      answer.shares[pair * sizes.length + s] = found === undefined ? NaN : found.shared[s] / own;
    });
  }
}

/** The index of each family's first wording, followed by the number of all wordings. */
export function startsOf(families: readonly Family[]): Int32Array {
  const starts = [0];
  for (const { labels } of families) starts.push(starts.at(-1)! + labels.length);
  return Int32Array.from(starts);
}

function pairsOf(families: readonly Family[], starts: Int32Array): Int32Array {
  return Int32Array.from(
    families.flatMap(({ pairs }, f) => pairs.flatMap(([a, b]) => [starts[f] + a, starts[f] + b])),
  );
}

interface Scores {
  ranks: Float64Array;
  /** For each wording, the images without a score, of those that were asked. */
  without: ReadonlySet<number>[];
  asked: number[];
}

/** For each wording and image, a number that is higher for a better rank and equal for tied images. */
async function scoresOf(
  context: GalleryContext,
  ranker: Ranker,
  evaluator: Evaluator,
  families: readonly Family[],
  { images, gallery, rerank }: ScoresAsk,
): Promise<Scores> {
  const texts = families.flatMap(({ labels, query }) => labels.map((label) => query.wordings.get(label)!));
  const labels = families.flatMap((family) => family.labels);
  const count = images.length;
  const places =
    gallery === undefined ? undefined : await firstSearch(context, ranker, families, gallery, texts.length);
  const candidates = texts.map((_, q) =>
    (places?.[q] ?? images.map((_, item) => ({ item, cosine: 0 }))).slice(0, rerank),
  );
  const outcomes = await pairScores(
    context,
    evaluator,
    candidates.flatMap((list, q) => list.map(({ item }) => askedPair(images[item], texts[q], labels[q]))),
  );
  const ranks = new Float64Array(texts.length * count);
  const without = texts.map(() => new Set<number>());
  let at = 0;
  candidates.forEach((list, q) => {
    const scored: { item: number; score: number }[] = [];
    for (const { item } of list) {
      const outcome = outcomes[at++];
      if (outcome.ok) scored.push({ item, score: outcome.value });
      else without[q].add(item);
    }
    const rest = (places?.[q] ?? []).slice(rerank).map(({ item, cosine }) => ({ item, score: cosine }));
    let place = 0;
    // Images without a score get places of their own at the end, so that they make no ties. No comparison uses them.
    const last = [...without[q]].map((item, i) => ({ item, score: -i }));
    for (const group of [scored, rest, last]) {
      group.sort((a, b) => b.score - a.score);
      group.forEach(({ item, score }, i) => {
        if (i === 0 || score < group[i - 1].score) place++;
        ranks[q * count + item] = -place;
      });
    }
  });
  return { ranks, without, asked: candidates.map(({ length }) => length) };
}

/** For each wording, all images by cosine, best first. */
async function firstSearch(
  context: GalleryContext,
  ranker: Ranker,
  families: readonly Family[],
  gallery: Held,
  wordings: number,
): Promise<{ item: number; cosine: number }[][]> {
  const top = gallery.gallery.count;
  const queries = await ranker.hold(packRows(families.flatMap(({ rows }) => rows)), context.signal);
  const { topItems, topScores } = await ranker.count(
    {
      ...{ queries, gallery, top },
      thresholds: new Float64Array(0),
      offsets: new Int32Array(wordings + 1),
    },
    context.signal,
  );
  await ranker.drop(queries);
  return Array.from({ length: wordings }, (_, q) =>
    Array.from({ length: top }, (_, k) => ({ item: topItems[q * top + k], cosine: topScores[q * top + k] })),
  );
}

function joined(parts: readonly Orders[]): Orders {
  return {
    rho: Float64Array.from(parts.flatMap(({ rho }) => [...rho])),
    listwise: Float64Array.from(parts.flatMap(({ listwise }) => [...listwise])),
    shares: Float64Array.from(parts.flatMap(({ shares }) => [...shares])),
    edgeTies: Uint8Array.from(parts.flatMap(({ edgeTies }) => [...edgeTies])),
    tied: Int32Array.from(parts.flatMap(({ tied }) => [...tied])),
    topItems: Int32Array.from(parts.flatMap(({ topItems }) => [...topItems])),
  };
}
