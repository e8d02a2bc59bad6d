import { packRows } from '../../evaluator/ranking/rows';
import type { Held, Ranker } from '../../evaluator/ranking/ranking';
import { bcaInterval } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { Figure, intervalSeed } from '../figure';
import type { Metric, Slice } from '../metric';

export const depths = [1, 5, 10] as const;

/** An entry of a gallery among the first of a query's ranked list. */
export interface Listed {
  item: number;
  score: number;
}

/** One query against the clean gallery: how its best true entry stands there. */
export interface CleanResult {
  /** The true entry with the highest score, the earlier one where they tie. */
  item: number;
  best: number;
  /** Entries that are not true: with a greater score than the best true one, and with an equal score. */
  above: number;
  equal: number;
  first: Listed[];
}

/** The same query against altered entries. */
export interface AlteredResult {
  above: number;
  equal: number;
  first: Listed[];
}

/** Ranks every query against the clean gallery. `truths[q]` are the entries that are right for query q, at least one. */
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
    // No true entry is greater than the best of them; those that are as good are no rivals.
    above: greater[q],
    equal: equal[q] - scores[q].filter((score) => score === best[q]).length,
    first: first[q],
  }));
}

/** Ranks every query's best true score against altered entries, none of which is right for any query. */
export async function rankAltered(
  ranker: Ranker,
  queries: Held,
  clean: readonly CleanResult[],
  altered: readonly Float32Array[],
  signal: AbortSignal,
): Promise<AlteredResult[]> {
  if (altered.length === 0) return clean.map(() => ({ above: 0, equal: 0, first: [] }));
  const gallery = await ranker.hold(packRows(altered), signal);
  const best = clean.map((result) => result.best);
  const { greater, equal, first } = await against(ranker, queries, gallery, best, signal);
  await ranker.drop(gallery);
  return clean.map((_, q) => ({ above: greater[q], equal: equal[q], first: first[q] }));
}

async function against(
  ranker: Ranker,
  queries: Held,
  gallery: Held,
  thresholds: readonly number[],
  signal: AbortSignal,
): Promise<{ greater: Int32Array; equal: Int32Array; first: Listed[][] }> {
  const top = 10;
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
  /** At depth 1, 5, 10: 0 or 1 in the clean gallery; where altered entries are added, ½ as well. */
  clean: number[];
  stressed: number[];
  /** 1 where the first result is an altered entry, ½ where one ties for the first place. */
  altered: number;
  cleanTies: boolean[];
  stressedTies: boolean[];
  alteredTie: boolean;
}

/**
 * A true entry must be strictly better than others of the clean gallery. With an altered one it shares the place: half
 * for each.
 */
export function hitsOf(clean: CleanResult, altered: AlteredResult): Hits {
  const firstClean = clean.first[0].score;
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

/** The figures of one direction, from the hits of every query. */
export class RetrievalFigures {
  private readonly clean = depths.map(() => new Figure());
  private readonly stressed = depths.map(() => new Figure());
  private readonly rsms = new Figure();
  private readonly lost: number[] = [];
  private readonly kept: number[] = [];
  private readonly clusters: number[] = [];

  /** Several draws of the altered entries count as one query: their hits are averaged. */
  add(draws: readonly Hits[], cluster: number): void {
    const mean = (of: (hits: Hits) => number): number =>
      draws.reduce((sum, hits) => sum + of(hits), 0) / draws.length;
    depths.forEach((_, d) => {
      this.clean[d].add(draws[0].clean[d], cluster);
      if (draws[0].cleanTies[d]) this.clean[d].ties++;
      this.stressed[d].add(
        mean((hits) => hits.stressed[d]),
        cluster,
      );
      this.stressed[d].ties += draws.filter((hits) => hits.stressedTies[d]).length;
    });
    this.rsms.add(
      mean((hits) => hits.altered),
      cluster,
    );
    this.rsms.ties += draws.filter((hits) => hits.alteredTie).length;
    this.kept.push(draws[0].clean[0]);
    this.lost.push(draws[0].clean[0] - mean((hits) => hits.stressed[0]));
    this.clusters.push(cluster);
  }

  cleanMetrics(id: string): Metric[] {
    return depths.map((depth, d) => this.clean[d].metric(`${id}.r${depth}`, { rate: true }));
  }

  stressedMetrics(id: string, slice?: Slice): Metric[] {
    return [
      ...depths.map((depth, d) => this.stressed[d].metric(`${id}.stressed.r${depth}`, { rate: true, slice })),
      this.dropRate(`${id}.dropRate`, slice),
      this.rsms.metric(`${id}.rsms`, { rate: true, slice }),
    ];
  }

  private dropRate(id: string, slice: Slice | undefined): Metric {
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    const metric: Metric = { id, value: null, n: this.kept.length, ...(slice && { slice }) };
    const right = sum(this.kept);
    if (right === 0)
      return { ...metric, note: 'R@1 is 0 on the clean gallery: there is nothing to drop from.' };
    const [before, after] = [right / this.kept.length, (right - sum(this.lost)) / this.kept.length];
    metric.value = (before - after) / before;
    const interval = bcaInterval({
      statistic: 'ratio',
      values: this.lost,
      denominators: this.kept,
      clusters: this.clusters,
      seed: intervalSeed,
    });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  }
}
