/** Rows of a gallery, or of queries: numbered by the parent. */
export interface PartAsk {
  gallery: number;
  count: number;
  dimension: number;
  /** The row the part begins with. */
  from: number;
  data: Float32Array;
  last: boolean;
}

export interface CountAsk {
  queries: number;
  gallery: number;
  /** Cosines; those of query q stand from offsets[q] to offsets[q + 1]. */
  thresholds: Float64Array;
  offsets: Int32Array;
  top: number;
}

export interface CountAnswer {
  /** Per threshold: entries of the gallery whose cosine is greater, and equal. */
  greater: Int32Array;
  equal: Int32Array;
  /** Per query, `top` entries, best first, the earlier one first where they tie; −1 where the gallery is smaller. */
  topItems: Int32Array;
  topScores: Float64Array;
}

export interface StabilityAsk {
  queries: number;
  gallery: number;
  /** Family f holds the queries from families[f] up to families[f + 1]: one query in several wordings. */
  families: Int32Array;
  /** Two queries of one family each, the pairs of a family together and families in order. */
  pairs: Int32Array;
  /** Sizes of tops to compare, none greater than the gallery. */
  sizes: Int32Array;
  /** How many of each query's entries to tell. */
  top: number;
}

export interface StabilityAnswer {
  /** Per pair: Spearman's ρ over the ranks of all entries; NaN where all are tied. */
  rho: Float64Array;
  /** Per pair: the correlation of the two lists of entries' numbers, place by place. */
  listwise: Float64Array;
  /** Per pair and size: how many entries the two tops share. */
  shared: Int32Array;
  /** Per query and size: 1 where the top's last entry ties with the first left out. */
  edgeTies: Uint8Array;
  /** Per query: entries whose cosine equals that of another. */
  tied: Int32Array;
  topItems: Int32Array;
}

export interface RankingJobs {
  galleryPart: { ask: PartAsk; answer: null };
  galleryDrop: { ask: { gallery: number }; answer: null };
  galleryCount: { ask: CountAsk; answer: CountAnswer };
  galleryStability: { ask: StabilityAsk; answer: StabilityAnswer };
}
