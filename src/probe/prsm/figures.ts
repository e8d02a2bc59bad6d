import { english, say } from '../../base/say';
import type { Example } from '../../dataset/example';
import { Figure } from '../figure';
import type { Metric, Slice } from '../metric';
import type { PairRow, QueryRow } from './row';
import { comparisons, type SetName, type Wordings } from './wordings';

/** A query with its wordings, from the first example that has the query. */
export interface Query {
  example: Example;
  caption: number;
  text: string;
  wordings: Wordings;
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

/** Computes the metrics of a comparison: the mean over the pairs of each query, then the mean over queries. */
export class Figures {
  private readonly global = new Figure();
  private readonly listwise = new Figure();
  private readonly local: Figure[];

  constructor(
    private readonly asked: readonly number[],
    private readonly photos: number,
  ) {
    this.local = asked.map(() => new Figure());
  }

  /**
   * The means over the queries that have at least one of these pairs. With a slice, a query must have all of
   * them.
   */
  metrics(results: readonly Result[], names: readonly string[], slice: Slice | undefined): Metric[] {
    results.forEach(({ pairs }, cluster) => {
      const own = names.flatMap((name) => pairs.get(name) ?? []);
      if (own.length === 0 || (slice !== undefined && own.length < names.length)) return;
      const rho = meanOf(own.map(({ row }) => row.rho));
      const listwise = meanOf(own.map(({ row }) => row.listwise));
      if (rho !== null) this.global.add(rho, cluster);
      if (own.some(({ tied }) => tied)) this.global.ties++;
      if (listwise !== null) this.listwise.add(listwise, cluster);
      this.asked.forEach((size, s) => {
        this.local[s].add(meanOf(own.map(({ row }) => row.shared[size]))!, cluster);
        this.local[s].ties += own.filter(({ edgeTied }) => edgeTied[s]).length;
      });
    });
    return [
      this.global.metric('prsm.global', { slice, ties: true }),
      this.listwise.metric('prsm.global.listwise', { slice }),
      ...this.asked.map((size, s) => {
        const metric = this.local[s].metric(`prsm.local@${size}`, { slice, rate: true });
        if (this.photos <= size) {
          metric.moot = true;
          // The top list contains all images by construction, so an interval is meaningless.
          delete metric.ci;
          metric.note = english(
            say`There are only ${this.photos} images, so the top list contains all of them.`,
          );
        }
        return metric;
      }),
    ];
  }
}

export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
}
