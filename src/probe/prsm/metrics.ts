import { append } from '../../base/lists';
import { allOf, type Steps } from '../../base/turns/steps';
import type { Attribute } from '../../dataset/example';
import { Difference } from '../inference/difference';
import type { Metric, Slice } from '../metric';
import {
  Figures,
  pairNames,
  type Result,
  resultsInStep,
  stabilityOf,
  type Weigh,
  wholePairs,
} from './figures';
import type { PrsmOptions } from './options';
import { type UnrelatedPair, unrelatedMetrics } from './unrelated';
import { comparisons, type SetName } from './wordings';

type Options = Pick<PrsmOptions, 'sets' | 'groups' | 'sizes' | 'weight'>;

/** How well the wordings of each query agree, and those of unrelated captions. */
export interface Compared {
  results: Result[];
  unrelated: UnrelatedPair[];
}

/** The metrics of all comparisons and of each group of queries, and the tests between groups and between sets. */
export function* metricsOf(
  { results, unrelated }: Compared,
  options: Options,
  images: number,
): Steps<Metric[]> {
  const { sets, groups, sizes } = options;
  const weigh = weighBy(options);
  const figures = (asked: Parameters<Figures['metrics']>[1]): Steps<Metric[]> =>
    new Figures(sizes, images).metrics(results, asked);
  const metrics = yield* figures({ names: wholePairs(sets), weigh });
  for (const set of sets) {
    append(metrics, yield* figures({ names: wholePairs([set]), slice: { set }, weigh }));
    const labels = comparisons[set].at(-1)!.split('-');
    const others = pairNames(labels).filter((pair) => !comparisons[set].includes(pair));
    for (const comparison of [...comparisons[set], ...others]) {
      const shared = { names: pairNames(comparison.split('-')), needsAll: true };
      const slice = { set, comparison };
      append(metrics, yield* figures({ ...shared, slice, weigh }));
      if (!comparisons[set].includes(comparison)) continue;
      for (const column of groups)
        for (const value of valuesOf(results, column)) {
          const own = weighBy(options, { column, value });
          append(metrics, yield* figures({ ...shared, slice: { ...slice, [column]: value }, weigh: own }));
        }
    }
  }
  append(metrics, yield* unrelatedMetrics(results, unrelated, { sets, sizes, images, weigh }));
  append(metrics, yield* betweenSets(results, options, images));
  append(metrics, yield* betweenGroups(results, options, images));
  return metrics;
}

/** How often a query counts: by its captions in the dataset, or once, and only the captions of the group if given. */
function weighBy({ weight }: Options, group?: { column: string; value: Attribute }): Weigh {
  return ({ occurrences }) => {
    const own =
      group === undefined
        ? occurrences.length
        : occurrences.filter(({ attributes }) => (attributes[group.column] ?? null) === group.value).length;
    return weight === 'occurrences' ? own : Math.min(1, own);
  };
}

function valuesOf(results: readonly Result[], column: string): Attribute[] {
  const values = results.flatMap(({ query }) =>
    query.occurrences.map(({ attributes }) => attributes[column] ?? null),
  );
  return [...new Set(values)].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** A metric of the tests, and its value for one query. */
interface Measure {
  id: string;
  of: (result: Result, set: SetName) => number | null;
}

function measuresOf({ sizes }: Options, images: number): Measure[] {
  const stability = ({ pairs }: Result, set: SetName) => {
    const own = wholePairs([set]).flatMap((name) => pairs.get(name) ?? []);
    return own.length === 0 ? undefined : stabilityOf(own, sizes);
  };
  return [
    { id: 'prsm.between.global', of: (result, set) => stability(result, set)?.global ?? null },
    ...sizes.flatMap((size, s) =>
      size >= images
        ? []
        : [
            {
              id: `prsm.between.local@${size}`,
              of: (result: Result, set: SetName) => stability(result, set)?.local[s] ?? null,
            },
          ],
    ),
  ];
}

/** Compares the sets on the same queries. */
function* betweenSets(results: readonly Result[], options: Options, images: number): Steps<Metric[]> {
  const weigh = weighBy(options);
  return yield* allOf(twosOf(options.sets), ([a, b]) =>
    allOf(measuresOf(options, images), function* ({ id, of }): Steps<Metric[]> {
      const difference = new Difference('numbers');
      for (const [at, result] of results.entries()) {
        if (at % resultsInStep === 0) yield;
        const [first, second] = [of(result, a), of(result, b)];
        if (first === null || second === null) continue;
        for (let i = weigh(result.query); i > 0; i--) difference.add(first - second, result.query.cluster);
      }
      return yield* difference.metrics(id, { set: `${a} − ${b}` });
    }),
  );
}

/** With more values in a column, the groups are not tested, because there would be too many pairs. */
const mostGroups = 8;

/** Compares the groups of each column, for each set. */
function* betweenGroups(results: readonly Result[], options: Options, images: number): Steps<Metric[]> {
  return yield* allOf(options.groups, function* (column): Steps<Metric[]> {
    yield;
    const values = valuesOf(results, column);
    if (values.length > mostGroups) return [];
    return yield* allOf(twosOf(values), ([a, b]) =>
      allOf(options.sets, (set) =>
        allOf(measuresOf(options, images), function* ({ id, of }): Steps<Metric[]> {
          const slice: Slice = { set, [column]: `${String(a)} − ${String(b)}` };
          const difference = new Difference('groups');
          const weighs = [a, b].map((value) => weighBy(options, { column, value }));
          for (const [at, result] of results.entries()) {
            if (at % resultsInStep === 0) yield;
            const value = of(result, set);
            if (value === null) continue;
            for (const [g, group] of (['first', 'second'] as const).entries())
              for (let i = weighs[g](result.query); i > 0; i--)
                difference.addTo(group, value, result.query.cluster);
          }
          return yield* difference.metrics(id, slice);
        }),
      ),
    );
  });
}

function twosOf<T>(values: readonly T[]): [T, T][] {
  return values.flatMap((a, i) => values.slice(i + 1).map((b): [T, T] => [a, b]));
}
