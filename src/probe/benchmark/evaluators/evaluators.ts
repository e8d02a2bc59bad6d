/* What several audited evaluators say about a benchmark: how good they are, and what their answers say about its items. */
import { say, type Words } from '../../../base/say';
import { allOf, type Steps } from '../../../base/turns/steps';
import { leastImages } from '../../../stats/decisions/smallSample';
import { clusteredDifferenceTest } from '../../../stats/decisions/groupTest';
import { rankIntervals } from '../../../stats/decisions/rankIntervals';
import { isDefined } from '../../../stats/outcome';
import { exactP } from '../../claim';
import { adjustedTogether, testOf } from '../../claimFamily';
import { type Metric, metricOf } from '../../metric';
import type { ItemFindings } from '../row';
import { itemModels } from './models';
import { subsetOf } from './subset';
import type { Asked } from './asked';

export interface EvaluatorFindings {
  metrics: Metric[];
  warnings: Words[];
  /** By item, what its row says. */
  ofItem: (i: number) => ItemFindings;
}

export function* checkEvaluators(asked: Asked): Steps<EvaluatorFindings> {
  const { items, evaluators } = asked;
  const metrics = yield* accuracies(asked);
  const common = items
    .map((_, i) => i)
    .filter((i) => evaluators.every(({ credits }) => !Number.isNaN(credits[i])));
  const ranks = yield* ranksOf(asked, common);
  const models = yield* itemModels(asked);
  const subset = yield* subsetOf(asked, common);
  return {
    metrics: [...metrics, ...pOfBeyondBlind(metrics), ...ranks, ...models.metrics, ...subset.metrics],
    warnings: [...models.warnings, ...subset.warnings],
    ofItem: (i) => ({
      credits: Object.fromEntries(
        evaluators.flatMap(({ name, credits }) => (Number.isNaN(credits[i]) ? [] : [[name, credits[i]]])),
      ),
      ...models.ofItem(i),
      ...(subset.chosen.has(i) ? { subset: true } : {}),
    }),
  };
}

/** The accuracy of each evaluator, that on items which no baseline solves, and how much lower the latter is. */
function* accuracies({ items, columns, left, evaluators }: Asked): Steps<Metric[]> {
  const chances = Float64Array.from(items, ({ captions }) => 1 / captions.length);
  const beyond = items.map((_, i) => i).filter((i) => left[i] === 1);
  return yield* allOf(evaluators, function* ({ name, credits }): Steps<Metric[]> {
    const slice = { evaluator: name };
    const column = { shares: credits, chances, ties: true };
    const all = yield* columns.metric({ id: 'benchmark.accuracy', ...column }, slice);
    const rest = yield* columns.metric({ id: 'benchmark.beyondBlind', ...column }, slice, beyond);
    if (rest.n === 0 || rest.n === all.n) return rest.n === 0 ? [all] : [all, rest];
    const values: number[] = [];
    const [isFirst, clusters]: number[][] = [[], []];
    for (const [first, at] of [
      [1, credits.keys()],
      [0, beyond],
    ] as const)
      for (const i of at) {
        if (Number.isNaN(credits[i])) continue;
        values.push(credits[i]);
        isFirst.push(first);
        clusters.push(columns.clusterOf[i]);
      }
    const test = clusteredDifferenceTest(values, isFirst, clusters);
    const images = rest.images ?? rest.n;
    const loss: Metric = {
      ...{ id: 'benchmark.beyondBlind.loss', slice, value: all.value! - rest.value!, n: rest.n },
      ...(rest.images === undefined ? {} : { images: rest.images }),
      ...(isDefined(test) && images >= leastImages
        ? { ci: [test.low, test.high] as const, degrees: test.degrees }
        : {}),
    };
    return [all, rest, loss];
  });
}

/** The p values of the tests against chance, adjusted over the evaluators. */
function pOfBeyondBlind(metrics: readonly Metric[]): Metric[] {
  const id = 'benchmark.beyondBlind';
  const tested = metrics.flatMap(({ id: own, slice, chance }) => {
    if (own !== id || chance === undefined) return [];
    const test = testOf(metrics, id, chance, slice);
    const metric = metricOf(metrics, id, slice)!;
    return test === undefined ? [] : [{ metric, pValue: Math.max(test.pValue, exactP(metric, chance)) }];
  });
  return adjustedTogether(tested).map(({ metric: { slice, n, images }, adjusted }) => ({
    ...{ id: `${id}.p`, slice, value: adjusted, n },
    ...(images === undefined ? {} : { images }),
    note: say('benchmark.holmOverEvaluators', tested.length),
  }));
}

/** The rank of each evaluator, and how often it stays before the next one if other images are drawn. */
function* ranksOf({ columns, evaluators }: Asked, common: readonly number[]): Steps<Metric[]> {
  const numbers = new Map<number, number>();
  for (const i of common)
    if (!numbers.has(columns.clusterOf[i])) numbers.set(columns.clusterOf[i], numbers.size);
  if (evaluators.length < 2 || numbers.size < leastImages) return [];
  const counts = new Float64Array(numbers.size);
  const sums = evaluators.map(() => new Float64Array(numbers.size));
  for (const i of common) {
    const cluster = numbers.get(columns.clusterOf[i])!;
    counts[cluster]++;
    for (const [e, { credits }] of evaluators.entries()) sums[e][cluster] += credits[i];
  }
  const totals = sums.map((own) => own.reduce((a, b) => a + b, 0));
  const order = evaluators.map((_, e) => e).sort((a, b) => totals[b] - totals[a]);
  const keeps = new Float64Array(evaluators.length - 1);
  const resamples = 10_000;
  const ranks = yield* rankIntervals({
    ...{ sums, counts, better: 'higher', resamples },
    onRanks(drawn) {
      for (let at = 0; at < keeps.length; at++) {
        const [a, b] = [drawn[order[at]], drawn[order[at + 1]]];
        keeps[at] += a < b ? 1 : a === b ? 0.5 : 0;
      }
    },
  });
  const base = { n: common.length, ...(numbers.size < common.length ? { images: numbers.size } : {}) };
  return order.flatMap((e, at): Metric[] => {
    const { rank, low, high } = ranks[e];
    const slice = { evaluator: evaluators[e].name };
    const own: Metric = { id: 'benchmark.rank', slice, value: rank, ...base, ci: [low, high] };
    if (at === keeps.length) return [own];
    const next = { ...slice, over: evaluators[order[at + 1]].name };
    return [own, { id: 'benchmark.rank.kept', slice: next, value: keeps[at] / resamples, ...base }];
  });
}
