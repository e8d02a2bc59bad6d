import type { AnswerOf, AskOf } from '../base/calls';
import { count, flag, holding, instance, nothing, object, type Shape } from '../base/shape';

/* Requests that rank a gallery of embeddings or scores. */

const ints: Shape<Int32Array> = instance(Int32Array);
const doubles: Shape<Float64Array> = instance(Float64Array);
const ranked = { queries: count, gallery: count, top: count };

const orders = {
  /** Family f has the queries from families[f] up to families[f + 1]: one meaning, different wordings. */
  families: ints,
  /** Pairs of queries that belong to one family, in the order of the families. */
  pairs: ints,
  /** The sizes of the top lists to compare. None exceeds the gallery's size. */
  sizes: ints,
};

const stability = object({
  /** For each pair, Spearman's ρ over the ranks of all entries; NaN if all entries of a query tie. */
  rho: doubles,
  /** For each pair, the Pearson correlation between the entry numbers at the same positions of both orders. */
  listwise: doubles,
  /** For each pair and size, the number of entries in both top lists. */
  shared: ints,
  /** For each query and size, 1 if the top list's last entry ties with the next entry. */
  edgeTies: instance(Uint8Array) as Shape<Uint8Array>,
  /** For each query, how many entries have the same score as another entry. */
  tied: ints,
  topItems: ints,
});

export const rankingRequests = {
  /** Sends a part of a gallery or of its queries. The parent process chooses the number `gallery`. */
  galleryPart: {
    ask: holding({
      ...{ gallery: count, count, dimension: count },
      /** The index of the part's first row. */
      from: count,
      data: instance(Float32Array) as Shape<Float32Array>,
      last: flag,
    }),
    answer: nothing,
  },
  galleryDrop: { ask: holding({ gallery: count }), answer: nothing },
  galleryCount: {
    ask: holding({
      ...ranked,
      /** Cosines to compare with. Query q has those from offsets[q] up to, but excluding, offsets[q + 1]. */
      thresholds: doubles,
      offsets: ints,
    }),
    answer: object({
      /** For each threshold, how many gallery entries have a greater cosine, and how many have an equal cosine. */
      greater: ints,
      equal: ints,
      /** The `top` best entries of each query, best first, ties in gallery order, filled with −1. */
      topItems: ints,
      topScores: doubles,
    }),
  },
  /** `top`: how many entries to return for each query. */
  galleryStability: { ask: holding({ ...ranked, ...orders }), answer: stability },
  /** `scores` has one score per query and entry, and `count` is the number of entries. */
  scoreStability: { ask: holding({ ...orders, count, top: count, scores: doubles }), answer: stability },
};
type Asked<N extends keyof typeof rankingRequests> = AskOf<typeof rankingRequests, N>;
export type PartAsk = Asked<'galleryPart'>;
export type CountAsk = Asked<'galleryCount'>;
export type CountAnswer = AnswerOf<typeof rankingRequests, 'galleryCount'>;
export type StabilityAsk = Asked<'galleryStability'>;
export type ScoreStabilityAsk = Asked<'scoreStability'>;
export type StabilityAnswer = AnswerOf<typeof rankingRequests, 'galleryStability'>;
