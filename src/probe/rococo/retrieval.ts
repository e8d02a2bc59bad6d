import { say } from '../../base/say';
import { eachOf, type Steps } from '../../base/turns/steps';
import { packRows } from '../../evaluator/ranking/rows';
import type { Held, Ranker } from '../../evaluator/ranking/ranking';
import { plainMean } from '../../stats/summary';
import { Figure } from '../figure';
import type { Metric, Slice } from '../metric';

export const depths = [1, 5, 10] as const;

/** One of the first results of a query. */
export interface Listed {
  item: number;
  score: number;
}

/** How a query's best true entry ranks in the clean gallery, which has no altered entries. */
export interface CleanResult {
  /** The true entry with the highest score; the first entry among equals. */
  item: number;
  best: number;
  /** The number of wrong entries with a greater score (`above`), and with an equal score (`equal`). */
  above: number;
  equal: number;
  first: Listed[];
}

/**
 * How many altered entries score above a query's best true entry (`above`) or equal to it (`equal`), and the
 * altered entries with the highest scores (`first`).
 */
export interface AlteredResult {
  above: number;
  equal: number;
  first: Listed[];
}

/** The result without altered entries. */
export const nothing: AlteredResult = { above: 0, equal: 0, first: [] };

/** Ranks the clean gallery for every query. `truths[q]` has the true entries of query q, at least one. */
export async function rankClean(
  ranker: Ranker,
  queries: Held,
  gallery: Held,
  truths: readonly (readonly number[])[],
  signal: AbortSignal,
): Promise<CleanResult[]> {
  const scores = truths.map((own, q) => own.map((item) => queries.gallery.cosine(q, gallery.gallery, item)));
  const best = scores.map((own) => own.reduce((a, b) => Math.max(a, b)));
  const { greater, equal, first } = await against(ranker, queries, gallery, best, signal);
  return truths.map((own, q) => ({
    item: own[scores[q].indexOf(best[q])],
    best: best[q],
    above: greater[q],
    // Entries that are true for the query do not count.
    equal: equal[q] - scores[q].filter((score) => score === best[q]).length,
    first: first[q],
  }));
}

/** Compares each query's best true score with the scores of altered entries, wrong for all queries. */
export async function rankAltered(
  ranker: Ranker,
  queries: Held,
  clean: readonly CleanResult[],
  altered: readonly Float32Array[],
  signal: AbortSignal,
): Promise<AlteredResult[]> {
  if (altered.length === 0) return clean.map(() => nothing);
  const gallery = await ranker.hold(packRows(altered), signal);
  const best = clean.map((result) => result.best);
  const { greater, equal, first } = await against(ranker, queries, gallery, best, signal);
  await ranker.drop(gallery);
  return clean.map((_, q) => ({ above: greater[q], equal: equal[q], first: first[q] }));
}

/** The number of first results that are kept for a query. */
const listedFirst = 10;

/** The best entries by score. Ties keep the gallery's order. */
export function firsts(entries: readonly Listed[]): Listed[] {
  return [...entries]
    .sort((a, b) => b.score - a.score || a.item - b.item)
    .slice(0, listedFirst)
    .map(({ item, score }) => ({ item, score }));
}

async function against(
  ranker: Ranker,
  queries: Held,
  gallery: Held,
  thresholds: readonly number[],
  signal: AbortSignal,
): Promise<{ greater: Int32Array; equal: Int32Array; first: Listed[][] }> {
  const top = listedFirst;
  const answer = await ranker.count(
    {
      queries,
      gallery,
      thresholds: Float64Array.from(thresholds),
      offsets: Int32Array.from({ length: thresholds.length + 1 }, (_, q) => q),
      top,
    },
    signal,
  );
  const first = thresholds.map((_, q) => {
    const items = [...answer.topItems.subarray(q * top, (q + 1) * top)].filter((item) => item >= 0);
    return items.map((item, k) => ({ item, score: answer.topScores[q * top + k] }));
  });
  return { greater: answer.greater, equal: answer.equal, first };
}

export interface Hits {
  /** Hits at depths 1, 5 and 10: 0 or 1 without altered entries (`clean`), also ½ with (`stressed`). */
  clean: number[];
  stressed: number[];
  /** 1 if an altered entry is first, ½ if it shares the first place, otherwise 0. */
  altered: number;
  cleanTies: boolean[];
  stressedTies: boolean[];
  alteredTie: boolean;
}

/** The hits of a query. Clean ties count against the true entry; a tie with an altered one is half a hit. */
export function hitsOf(clean: CleanResult, altered = nothing): Hits {
  const firstClean = clean.first.at(0)?.score ?? -Infinity;
  const firstAltered = altered.first.at(0)?.score ?? -Infinity;
  const stressed = depths.map((depth) => {
    const ahead = clean.above + clean.equal + altered.above;
    if (ahead >= depth) return 0;
    return ahead + altered.equal < depth ? 1 : 0.5;
  });
  return {
    clean: depths.map((depth) => (clean.above + clean.equal < depth ? 1 : 0)),
    stressed,
    altered: firstAltered > firstClean ? 1 : firstAltered === firstClean ? 0.5 : 0,
    cleanTies: depths.map((depth) => clean.above < depth && depth <= clean.above + clean.equal),
    stressedTies: depths.map((depth) => {
      const ahead = clean.above + altered.above;
      return ahead < depth && depth <= ahead + clean.equal + altered.equal;
    }),
    alteredTie: firstAltered === firstClean,
  };
}

/** Values by depth, as rows have them. */
export function byDepth(hits: readonly number[]): Record<string, number> {
  return Object.fromEntries(depths.map((depth, d) => [`r${depth}`, hits[d]]));
}

/** The metrics of one search direction, from every query's hits. */
export class RetrievalFigures {
  private readonly clean = depths.map(() => new Figure());
  private readonly stressed = depths.map(() => new Figure());
  private readonly rsms = new Figure();
  private readonly lost: number[] = [];
  private readonly kept: number[] = [];
  private readonly clusters: number[] = [];

  /** Adds one query. Its hits are the means over the draws of altered entries. */
  add(draws: readonly Hits[], cluster: number): void {
    const mean = (of: (hits: Hits) => number): number => plainMean(draws.map(of));
    depths.forEach((_, d) => {
      this.clean[d].add(draws[0].clean[d], cluster);
      if (draws[0].cleanTies[d]) this.clean[d].ties++;
      const stressed = mean((hits) => hits.stressed[d]);
      this.stressed[d].add(stressed, cluster);
      this.stressed[d].ties += draws.filter((hits) => hits.stressedTies[d]).length;
    });
    const altered = mean((hits) => hits.altered);
    this.rsms.add(altered, cluster);
    this.rsms.ties += draws.filter((hits) => hits.alteredTie).length;
    this.kept.push(draws[0].clean[0]);
    this.lost.push(draws[0].clean[0] - mean((hits) => hits.stressed[0]));
    this.clusters.push(cluster);
  }

  cleanMetrics(id: string): Steps<Metric[]> {
    return eachOf(depths, (depth, d) => this.clean[d].metric(`${id}.r${depth}`, { rate: true }));
  }

  *stressedMetrics(id: string, slice?: Slice): Steps<Metric[]> {
    return [
      ...(yield* eachOf(depths, (depth, d) =>
        this.stressed[d].metric(`${id}.stressed.r${depth}`, { rate: true, slice }),
      )),
      yield* this.dropRate(`${id}.dropRate`, slice),
      yield* this.rsms.metric(`${id}.rsms`, { rate: true, slice }),
    ];
  }

  /** Its images are those with a search that is right without altered entries. */
  private *dropRate(id: string, slice: Slice | undefined): Steps<Metric> {
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    const metric: Metric = { id, value: null, n: this.kept.length, ...(slice && { slice }) };
    const images = new Set(this.clusters.filter((_, i) => this.kept[i] > 0)).size;
    if (images < metric.n) metric.images = images;
    const right = sum(this.kept);
    if (right === 0) return { ...metric, note: say('rococo.dropUndefined') };
    const [before, after] = [right / this.kept.length, (right - sum(this.lost)) / this.kept.length];
    metric.value = (before - after) / before;
    const figure = new Figure();
    for (const [i, cluster] of this.clusters.entries())
      if (this.kept[i] > 0) figure.add(this.lost[i], cluster);
    const { ci, degrees, note } = yield* figure.metric(id, { share: true });
    if (ci !== undefined) metric.ci = ci;
    if (degrees !== undefined) metric.degrees = degrees;
    if (note !== undefined) metric.note = note;
    return metric;
  }
}
