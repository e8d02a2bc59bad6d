import { say } from '../../base/say';
import { allOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { Figure } from '../figure';
import type { Metric, Slice } from '../metric';
import type { PairRow, QueryRow } from './row';
import { comparisons, type SetName, type Wordings } from './wordings';

/** A distinct caption with its wordings, which come from the first example that has the caption. */
export interface Query {
  example: Example;
  caption: number;
  text: string;
  wordings: Wordings;
  /** The examples with this caption, each as often as it has the caption. */
  occurrences: Example[];
  /** The query counts as one observation together with the other queries of its cluster. */
  cluster: number;
  /** Set if the cluster is more than the image: the name that rows of the cluster share. */
  clusterName?: string;
}

export interface Pair {
  row: PairRow;
  tied: boolean;
  edgeTied: boolean[];
}

export interface Result {
  query: Query;
  /** Pairs of wordings by their labels, such as "o-c1". */
  pairs: Map<string, Pair>;
  row: QueryRow;
}

/** A query's embedded wordings, and their pairs to compare. */
export class Family {
  readonly labels: string[];
  readonly rows: Float32Array[];
  readonly pairs: [number, number][];

  constructor(
    readonly query: Query,
    rowOf: ReadonlyMap<string, Float32Array | undefined>,
    sets: readonly SetName[],
  ) {
    this.labels = [...query.wordings.keys()].filter(
      (label) => rowOf.get(query.wordings.get(label)!) !== undefined,
    );
    this.rows = this.labels.map((label) => rowOf.get(query.wordings.get(label)!)!);
    this.pairs = wholePairs(sets).flatMap((pair): [number, number][] => {
      const [a, b] = pair.split('-').map((label) => this.labels.indexOf(label));
      return a === -1 || b === -1 ? [] : [[a, b]];
    });
  }
}

/** The names of all pairs of wordings within each set, such as "o-c1". */
export function wholePairs(sets: readonly SetName[]): string[] {
  return sets.flatMap((set) => pairNames(comparisons[set].at(-1)!.split('-')));
}

export function pairNames(labels: readonly string[]): string[] {
  return labels.flatMap((a, i) => labels.slice(i + 1).map((b) => `${a}-${b}`));
}

/** The queries of a group, and how often each one counts. */
export type Weigh = (query: Query) => number;

/** Which queries a metric needs: those with all its pairs of wordings, or with at least one. */
interface Asked {
  names: readonly string[];
  slice?: Slice;
  needsAll?: boolean;
  weigh: Weigh;
}

/** How many queries are added between two steps. */
export const resultsInStep = 1024;

/** Computes the metrics of a comparison: the mean over the pairs of each query, then the mean over queries. */
export class Figures {
  private readonly global = new Figure();
  private readonly listwise = new Figure();
  private readonly local: Figure[];
  private readonly corrected: Figure[];

  constructor(
    private readonly asked: readonly number[],
    private readonly images: number,
  ) {
    this.local = asked.map(() => new Figure());
    this.corrected = asked.map(() => new Figure());
  }

  *metrics(results: readonly Result[], { names, slice, needsAll = false, weigh }: Asked): Steps<Metric[]> {
    for (const [i, result] of results.entries()) {
      if (i % resultsInStep === 0) yield;
      const own = names.flatMap((name) => result.pairs.get(name) ?? []);
      if (own.length === 0 || (needsAll && own.length < names.length)) continue;
      const times = weigh(result.query);
      const { cluster } = result.query;
      const add = (figure: Figure, value: number | null): void => {
        for (let i = 0; value !== null && i < times; i++) figure.add(value, cluster);
      };
      const { global, local } = stabilityOf(own, this.asked);
      add(this.global, global);
      add(this.listwise, meanOf(own.map(({ row }) => row.listwise)));
      if (own.some(({ tied }) => tied)) this.global.ties += times;
      for (const [s, size] of this.asked.entries()) {
        add(this.local[s], local[s]);
        add(this.corrected[s], correctedOverlap(local[s], size, this.images));
        this.local[s].ties += times * own.filter(({ edgeTied }) => edgeTied[s]).length;
      }
    }
    return [
      yield* this.global.metric('prsm.global', { slice, ties: true }),
      yield* this.listwise.metric('prsm.global.listwise', { slice }),
      ...(yield* allOf(this.asked, (size, s) => this.localMetrics(size, s, slice))),
    ];
  }

  private *localMetrics(size: number, s: number, slice: Slice | undefined): Steps<Metric[]> {
    const id = `prsm.local@${size}`;
    const metric = yield* this.local[s].metric(id, { slice, rate: true });
    if (size < this.images) {
      metric.chance = size / this.images;
      const corrected = this.corrected[s].metric(`${id}.corrected`, { slice, interval: 'test' });
      return [metric, yield* corrected];
    }
    metric.moot = true;
    // The top list contains all images by construction, so an interval is meaningless.
    delete metric.ci;
    metric.note = say('prsm.topListHoldsAll', this.images);
    return [metric];
  }
}

/** The means of a query's pairs: rank correlation, and overlap by size of the top list. */
export function stabilityOf(
  pairs: readonly Pair[],
  sizes: readonly number[],
): { global: number | null; local: number[] } {
  return {
    global: meanOf(pairs.map(({ row }) => row.rho)),
    local: sizes.map((size) => meanOf(pairs.map(({ row }) => row.shared[size]))!),
  };
}

/**
 * The overlap beyond chance. Two random orders of N images share K / N of their top K on average, which becomes 0. Equal
 * lists become 1. Null if the top list has all images.
 */
export function correctedOverlap(overlap: number, size: number, images: number): number | null {
  const chance = size / images;
  return chance >= 1 ? null : (overlap - chance) / (1 - chance);
}

export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
}
