import { Engine } from '../native/engine';
import { whyRankingEnded } from '../native/lost';
import type { CountAnswer, ScoreStabilityAsk, StabilityAnswer } from '../../protocol/ranking';
import { Gallery, type Rows } from './rows';

/** The most numbers in one message (1 MB). A single large message would need the gallery's memory twice. */
const partNumbers = 1 << 18;

/** A gallery that the child process also has in memory, and its id there. */
export interface Held {
  readonly gallery: Gallery;
  readonly id: number;
}

export interface CountQuestion {
  queries: Held;
  gallery: Held;
  /** Cosines to compare with. Query q has the cosines from offsets[q] up to, but excluding, offsets[q + 1]. */
  thresholds: Float64Array;
  offsets: Int32Array;
  /** How many of the best entries to return for each query. */
  top: number;
}

export interface StabilityQuestion {
  queries: Held;
  gallery: Held;
  /**
   * Family f has the queries from families[f] up to, but excluding, families[f + 1]. The queries of a family are
   * wordings of the same caption.
   */
  families: Int32Array;
  /** Pairs of queries that belong to one family, in the order of the families. */
  pairs: Int32Array;
  sizes: Int32Array;
  top: number;
}

/**
 * Ranks by exact cosines in a child process, block by block, without the full matrix in memory.
 * `Gallery.cosine` decides close cases, so the results do not depend on blocks, threads or machines.
 */
export class Ranker {
  private readonly engine = new Engine({ lost: whyRankingEnded });
  private last = 0;

  async hold(rows: Rows, signal?: AbortSignal): Promise<Held> {
    const gallery = new Gallery(rows);
    const id = ++this.last;
    const { count, dimension, data } = rows;
    const perPart = Math.max(1, Math.floor(partNumbers / Math.max(1, dimension)));
    for (let from = 0; from < count; from += perPart) {
      const to = Math.min(count, from + perPart);
      const part = data.subarray(from * dimension, to * dimension);
      await this.engine.run(
        'galleryPart',
        { gallery: id, count, dimension, from, data: part, last: to === count },
        signal,
      );
    }
    return { gallery, id };
  }

  async drop({ id }: Held): Promise<void> {
    await this.engine.run('galleryDrop', { gallery: id });
  }

  /** Counts the entries above and at each threshold. Also returns the top entries of each query. */
  async count(question: CountQuestion, signal?: AbortSignal): Promise<CountAnswer> {
    const { queries, gallery, thresholds, offsets, top } = question;
    alike(queries, gallery);
    return this.engine.run(
      'galleryCount',
      { queries: queries.id, gallery: gallery.id, thresholds, offsets, top },
      signal,
    );
  }

  /** Measures how well the queries of each family agree on the order of the gallery's entries. */
  async stability(question: StabilityQuestion, signal?: AbortSignal): Promise<StabilityAnswer> {
    const { queries, gallery, ...rest } = question;
    alike(queries, gallery);
    return this.engine.run('galleryStability', { queries: queries.id, gallery: gallery.id, ...rest }, signal);
  }

  /** Measures the same as `stability`, but with given scores instead of cosines. */
  async stabilityOfScores(question: ScoreStabilityAsk, signal?: AbortSignal): Promise<StabilityAnswer> {
    return this.engine.run('scoreStability', question, signal);
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

function alike(queries: Held, gallery: Held): void {
  if (queries.gallery.dimension !== gallery.gallery.dimension)
    throw new RangeError('Queries and gallery must have embeddings of the same length.');
}
