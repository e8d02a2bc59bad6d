import type { CaptiousError } from '../../../base/errors';
import { evaluatorError } from '../../../base/errors';
import { say, type Words } from '../../../base/say';
import type { Held, Ranker } from '../../../evaluator/ranking/ranking';
import { packRows } from '../../../evaluator/ranking/rows';
import type { Evaluator } from '../../../evaluator/evaluator';
import type { ImageItem } from '../../../protocol/item';
import { percent } from '../../claim';
import { embedsBoth, pairScores } from '../../pairScores';
import type { GalleryContext } from '../../probe';
import {
  type AlteredResult,
  type CleanResult,
  firsts,
  type Listed,
  nothing,
  rankAltered,
  rankClean,
} from '../retrieval';

/** Images or captions, as queries or as a gallery. `held`: their embeddings, if the evaluator has any. */
export interface Entries {
  items: readonly (string | ImageItem)[];
  held?: Held;
}

/** A query's results in the gallery with altered entries. */
export interface Stressed {
  clean: CleanResult;
  altered: AlteredResult;
  /** The altered entry with the highest score. It may be outside the first results. */
  rival?: Listed;
}

/** Searches a gallery with queries, without and with altered entries. */
export interface Search {
  rank(queries: Entries, gallery: Entries, truths: readonly (readonly number[])[]): Promise<CleanResult[]>;
  /** Searches again with altered entries, wrong for all queries. `onLost`: those without any score. */
  stress(
    queries: Entries,
    clean: readonly CleanResult[],
    altered: Pick<Entries, 'items'>,
    rows: readonly Float32Array[],
    onLost: (item: number) => void,
  ): Promise<Stressed[]>;
}

export class CosineSearch implements Search {
  constructor(
    private readonly ranker: Ranker,
    private readonly signal: AbortSignal,
  ) {}

  rank(queries: Entries, gallery: Entries, truths: readonly (readonly number[])[]): Promise<CleanResult[]> {
    return rankClean(this.ranker, queries.held!, gallery.held!, truths, this.signal);
  }

  async stress(
    queries: Entries,
    clean: readonly CleanResult[],
    _: Pick<Entries, 'items'>,
    rows: readonly Float32Array[],
  ): Promise<Stressed[]> {
    const altered = await rankAltered(this.ranker, queries.held!, clean, rows, this.signal);
    return altered.map((result, q) => ({ clean: clean[q], altered: result, rival: result.first.at(0) }));
  }
}

/** An entry of the gallery to score for a query. `cosine` is 0 if there are no embeddings. */
interface Candidate {
  item: number;
  cosine: number;
}
interface Scored extends Candidate {
  score: number;
}

/** A query's search in the clean gallery, kept for `stress`. */
interface Kept {
  candidates: Scored[];
  truths: ReadonlySet<number>;
  /** The true entry to show if no candidate is true. */
  spare: Listed;
}

/** Up to this share, simulated metrics are within .015 of those without refusals (scripts/simulateRefusals.ts). */
const mostRefused = 0.05;

/** Ranks by the evaluator's scores of all pairs, or of the first `top` results by cosine. */
export class ScoreSearch implements Search {
  private readonly kept = new WeakMap<CleanResult, Kept>();
  /** The numbers of pairs, and of those without a score. */
  private asked = 0;
  private failed = 0;

  constructor(
    private readonly context: GalleryContext,
    private readonly ranker: Ranker,
    private readonly evaluator: Evaluator,
    private readonly top: number,
    private readonly onFailure: () => void,
  ) {}

  async rank(
    queries: Entries,
    gallery: Entries,
    truths: readonly (readonly number[])[],
  ): Promise<CleanResult[]> {
    const found = await this.candidates(queries, gallery);
    const spares = truths.map((own, q) => {
      const cosine = (item: number): number =>
        gallery.held === undefined ? 0 : queries.held!.gallery.cosine(q, gallery.held.gallery, item);
      return own
        .map((item) => ({ item, cosine: cosine(item) }))
        .reduce((a, b) => (b.cosine > a.cosine ? b : a));
    });
    // Every row shows the score of a true entry. So a true entry is scored even if it is not among the first
    // results.
    const asked = found.map((list, q) =>
      list.some(({ item }) => truths[q].includes(item)) ? list : [...list, spares[q]],
    );
    const scored = await this.scored(queries, gallery, asked);
    return scored.map((list, q) => {
      const members = new Set(found[q].map(({ item }) => item));
      const candidates = list.filter(({ item }) => members.has(item));
      const own = new Set(truths[q]);
      const spare = best(list.filter(({ item }) => own.has(item)));
      if (spare === undefined) throw unsteady(this.evaluator);
      const result = resultOf(candidates, own, spare);
      this.kept.set(result, { candidates, truths: own, spare });
      return result;
    });
  }

  async stress(
    queries: Entries,
    clean: readonly CleanResult[],
    altered: Pick<Entries, 'items'>,
    rows: readonly Float32Array[],
    onLost: (item: number) => void,
  ): Promise<Stressed[]> {
    if (altered.items.length === 0) return clean.map((result) => ({ clean: result, altered: nothing }));
    const held = embedsBoth(this.evaluator)
      ? await this.ranker.hold(packRows(rows), this.context.signal)
      : undefined;
    const gallery = { items: altered.items, ...(held && { held }) };
    const found = await this.candidates(queries, gallery);
    if (held !== undefined) await this.ranker.drop(held);
    // For each query, the smallest cosine among the first results of both galleries together.
    const edges = found.map((list, q) => {
      const cosines = [...this.kept.get(clean[q])!.candidates, ...list].map(({ cosine }) => cosine);
      return cosines.sort((a, b) => b - a).at(this.top - 1) ?? -Infinity;
    });
    const asked = found.map((list, q) => list.filter(({ cosine }, k) => k === 0 || cosine >= edges[q]));
    const scored = await this.scored(queries, gallery, asked, 'altered');
    const measured = new Set(scored.flatMap((list) => list.map(({ item }) => item)));
    for (const item of new Set(asked.flatMap((list) => list.map((one) => one.item))))
      if (!measured.has(item)) onLost(item);
    return scored.map((all, q): Stressed => {
      const list = all.filter(({ cosine }) => cosine >= edges[q]);
      const { candidates, truths, spare } = this.kept.get(clean[q])!;
      const left = candidates.filter(({ cosine }) => cosine >= edges[q]);
      const result = resultOf(left, truths, spare);
      const above = list.filter(({ score }) => score > result.best).length;
      const equal = list.filter(({ score }) => score === result.best).length;
      return { clean: result, altered: { above, equal, first: firsts(list) }, rival: firsts(all).at(0) };
    });
  }

  /** A warning if so many pairs have no score that the metrics are biased. */
  warnings(): Words[] {
    const { asked, failed } = this;
    if (failed <= mostRefused * asked) return [];
    return [say('rococo.searchesBiased', percent(failed / asked), percent(mostRefused))];
  }

  private async candidates(queries: Entries, gallery: Entries): Promise<Candidate[][]> {
    const count = gallery.items.length;
    if (gallery.held === undefined || queries.held === undefined)
      return queries.items.map(() => gallery.items.map((_, item) => ({ item, cosine: 0 })));
    const top = Math.min(this.top, count);
    const { topItems, topScores } = await this.ranker.count(
      {
        queries: queries.held,
        gallery: gallery.held,
        thresholds: new Float64Array(0),
        offsets: new Int32Array(queries.items.length + 1),
        top,
      },
      this.context.signal,
    );
    return queries.items.map((_, q) =>
      [...topItems.subarray(q * top, (q + 1) * top)].flatMap((item, k) =>
        item < 0 ? [] : [{ item, cosine: topScores[q * top + k] }],
      ),
    );
  }

  /** Scores the candidates. Leaves out each candidate that could not be scored, and calls `onFailure` for it. */
  private async scored(
    queries: Entries,
    gallery: Entries,
    lists: readonly (readonly Candidate[])[],
    kind?: 'altered',
  ): Promise<Scored[][]> {
    const pairs = lists.flatMap((list, q) =>
      list.map(({ item }) => {
        const [one, other] = [queries.items[q], gallery.items[item]];
        return typeof one === 'string'
          ? { image: other as ImageItem, text: one, ...(kind && { kind }) }
          : { image: one, text: other as string, ...(kind && { kind }) };
      }),
    );
    const outcomes = await pairScores(this.context, this.evaluator, pairs);
    this.asked += pairs.length;
    let at = 0;
    return lists.map((list) =>
      list.flatMap((candidate) => {
        const outcome = outcomes[at++];
        if (outcome.ok) return [{ ...candidate, score: outcome.value }];
        this.failed++;
        this.onFailure();
        return [];
      }),
    );
  }
}

/**
 * The result of a query in the clean gallery. If no candidate is true, the true entry `spare` ranks below all
 * candidates.
 */
function resultOf(candidates: readonly Scored[], truths: ReadonlySet<number>, spare: Listed): CleanResult {
  const found = best(candidates.filter(({ item }) => truths.has(item)));
  const others = candidates.filter(({ item }) => !truths.has(item));
  const first = firsts(candidates);
  if (found === undefined) return { item: spare.item, best: spare.score, above: Infinity, equal: 0, first };
  return {
    item: found.item,
    best: found.score,
    above: others.filter(({ score }) => score > found.score).length,
    equal: others.filter(({ score }) => score === found.score).length,
    first,
  };
}

function best(list: readonly Scored[]): Scored | undefined {
  return list.reduce<Scored | undefined>(
    (most, one) =>
      most === undefined || one.score > most.score || (one.score === most.score && one.item < most.item)
        ? one
        : most,
    undefined,
  );
}

function unsteady({ info }: Evaluator): CaptiousError {
  return evaluatorError(say('rococo.repeatedPairFailed', info.name), say('resume.runAuditAgain'), info.path);
}
