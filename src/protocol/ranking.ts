/** Rows of a gallery or of queries, numbered by the parent process. */
export interface PartAsk {
  gallery: number;
  count: number;
  dimension: number;
  /** The first row of the part. */
  from: number;
  data: Float32Array;
  last: boolean;
}

export interface CountAsk {
  queries: number;
  gallery: number;
  /** Cosines; those of query q are at offsets[q] to offsets[q + 1]. */
  thresholds: Float64Array;
  offsets: Int32Array;
  top: number;
}

export interface CountAnswer {
  /** Per threshold: gallery entries with a greater cosine, and with an equal one. */
  greater: Int32Array;
  equal: Int32Array;
  /** Per query the best `top` entries, best first, ties in gallery order; −1 if the gallery is smaller. */
  topItems: Int32Array;
  topScores: Float64Array;
}

export interface StabilityAsk {
  queries: number;
  gallery: number;
  /** Family f holds the queries from families[f] up to families[f + 1]: one query in several wordings. */
  families: Int32Array;
  /** Pairs of queries within a family, in family order. */
  pairs: Int32Array;
  /** Sizes of the tops to compare, at most the gallery's size. */
  sizes: Int32Array;
  /** How many entries per query to return. */
  top: number;
}

/** The same from known scores. */
export interface ScoreStabilityAsk extends Pick<StabilityAsk, 'families' | 'pairs' | 'sizes' | 'top'> {
  /** Entries of the gallery. */
  count: number;
  /** Per query, one score for each entry. */
  scores: Float64Array;
}

export interface StabilityAnswer {
  /** Per pair: Spearman's ρ over the ranks of all entries; NaN if all are tied. */
  rho: Float64Array;
  /** Per pair: the position-wise correlation of the two lists of entry numbers. */
  listwise: Float64Array;
  /** Per pair and size: the number of entries in both tops. */
  shared: Int32Array;
  /** Per query and size: 1 if the last entry of the top ties with the next one. */
  edgeTies: Uint8Array;
  /** Per query: entries whose cosine equals that of another entry. */
  tied: Int32Array;
  topItems: Int32Array;
}

export interface RankingJobs {
  galleryPart: { ask: PartAsk; answer: null };
  galleryDrop: { ask: { gallery: number }; answer: null };
  galleryCount: { ask: CountAsk; answer: CountAnswer };
  galleryStability: { ask: StabilityAsk; answer: StabilityAnswer };
  scoreStability: { ask: ScoreStabilityAsk; answer: StabilityAnswer };
}
