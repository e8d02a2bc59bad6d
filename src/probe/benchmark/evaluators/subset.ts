/* How few items keep the order of evaluators, and which. */
import { say, type Words } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { chosenItems, leastForSubset, testSizes, type TestedSize } from '../../../stats/irt/subset';
import { adjustedTogether, isSupported } from '../../claimFamily';
import type { Metric } from '../../metric';
import type { Asked } from './asked';

const sizes = [20, 50, 100, 200, 500, 1000, 2000, 5000];
/** A subset keeps the order if Kendall's τ of evaluators that did not choose it is at least this. */
const keptFrom = 0.9;

export interface Subset {
  metrics: Metric[];
  warnings: Words[];
  chosen: ReadonlySet<number>;
}

export function* subsetOf({ evaluators, seed }: Asked, common: readonly number[]): Steps<Subset> {
  const none = { metrics: [], chosen: new Set<number>() };
  if (evaluators.length < leastForSubset)
    return { ...none, warnings: [say('benchmark.tooFewForSubset', evaluators.length, leastForSubset)] };
  const tried = sizes.filter((size) => 2 * size <= common.length);
  if (tried.length === 0)
    return { ...none, warnings: [say('benchmark.tooFewItemsForSubset', common.length, 2 * sizes[0])] };
  const credits = evaluators.map((own) => Float64Array.from(common, (i) => own.credits[i]));
  const tested = yield* testSizes(credits, { seed, sizes: tried });
  const n = common.length;
  const metrics = adjustedTogether(tested).flatMap((own) => metricsOf(own, n));
  const better = adjustedTogether(tested).filter(isSupported);
  const smallest = tested.find((_, at) => tested.slice(at).every(({ chosen }) => chosen.tau >= keptFrom));
  const size: Metric = { id: 'benchmark.subset.size', value: smallest?.size ?? null, n };
  size.note = say('benchmark.subsetSizeNote', keptFrom);
  const warnings = better.length > 0 ? [] : [say('benchmark.subsetNoBetter')];
  if (smallest === undefined) return { warnings, metrics: [size, ...metrics], chosen: none.chosen };
  const chosen = new Set(Array.from(chosenItems(credits, smallest.size), (at) => common[at]));
  return { warnings, metrics: [size, ...metrics], chosen };
}

function metricsOf(
  { size, chosen, random, adjusted }: TestedSize & { adjusted: number },
  n: number,
): Metric[] {
  const ofChoice = (choice: string, { tau, error }: TestedSize['chosen']): Metric[] => [
    { id: 'benchmark.subset.tau', slice: { size, choice }, value: tau, n },
    { id: 'benchmark.subset.error', slice: { size, choice }, value: error, n },
  ];
  return [
    ...ofChoice('by answers', chosen),
    ...ofChoice('random', random),
    { id: 'benchmark.subset.p', slice: { size }, value: adjusted, n },
  ];
}
