/** A part of a gallery or of its queries. The parent process chooses the number `gallery`. */
export interface PartAsk {
  gallery: number;
  count: number;
  dimension: number;
  /** The index of the part's first row. */
  from: number;
  data: Float32Array;
  last: boolean;
}

export interface CountAsk {
  queries: number;
  gallery: number;
  /** Cosines to compare with. Query q has those from offsets[q] up to, but excluding, offsets[q + 1]. */
  thresholds: Float64Array;
  offsets: Int32Array;
  top: number;
}

export interface CountAnswer {
  /** For each threshold, how many gallery entries have a greater cosine, and how many have an equal cosine. */
  greater: Int32Array;
  equal: Int32Array;
  /**
   * The `top` best entries of each query, best first, ties in gallery order. If the gallery has fewer entries, −1
   * fills the rest.
   */
  topItems: Int32Array;
  topScores: Float64Array;
}

export interface StabilityAsk {
  queries: number;
  gallery: number;
  /**
   * Family f has the queries from families[f] up to, but excluding, families[f + 1]. The queries of a family have
   * the same meaning in different wordings.
   */
  families: Int32Array;
  /** Pairs of queries that belong to one family, in the order of the families. */
  pairs: Int32Array;
  /** The sizes of the top lists to compare. None exceeds the gallery's size. */
  sizes: Int32Array;
  /** How many entries to return for each query. */
  top: number;
}

/** Like `StabilityAsk`, but contains the scores of all entries. */
export interface ScoreStabilityAsk extends Pick<StabilityAsk, 'families' | 'pairs' | 'sizes' | 'top'> {
  /** The number of entries in the gallery. */
  count: number;
  /** For each query, one score per entry. */
  scores: Float64Array;
}

export interface StabilityAnswer {
  /** For each pair, Spearman's ρ over the ranks of all entries; NaN if all entries of a query tie. */
  rho: Float64Array;
  /** For each pair, the Pearson correlation between the entry numbers at the same positions of both orders. */
  listwise: Float64Array;
  /** For each pair and size, the number of entries in both top lists. */
  shared: Int32Array;
  /** For each query and size, 1 if the top list's last entry ties with the next entry. */
  edgeTies: Uint8Array;
  /** For each query, how many entries have the same score as another entry. */
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
