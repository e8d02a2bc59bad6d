import { append } from '../../base/append';
import { say, type Words } from '../../base/say';
import { allOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { percent } from '../claim';
import type { Metric } from '../metric';
import type { Claim, Findings } from '../probe';
import { wholeMetric } from '../view';
import { blindColumns } from './blind/baselines';
import { blindClaims, pMetrics, testedBaselines } from './blind/verdict';
import { imageBlind, orderBlind } from './ceilings';
import { type Column, Columns } from './columns';
import { type Item, itemsOf } from './items';
import type { BenchmarkRow } from './row';
import { benchmarkView } from './view';

/** Why an example is left out: nothing can be chosen in it. Undefined for others. */
export function refusal(example: Example): Words | undefined {
  if (!benchmarkView.madeFor.some((form) => form === example.form)) return say('choice.notChoice');
  return itemsOf(example).length === 0 ? say('choice.nothingToChoose') : undefined;
}

export interface Checked extends Findings {
  rows: Iterable<BenchmarkRow>;
}

/** Checks a benchmark's items without any evaluator. */
export function* checkItems(items: readonly Item[], seed: number): Steps<Checked> {
  const columns = new Columns(items);
  yield;
  const order = orderBlind(items);
  yield;
  const named: (readonly [name: string, column: Column])[] = [
    ['orderBlind', { id: 'benchmark.orderBlind.ceiling', ...order, ties: true }],
    ['imageBlind', { id: 'benchmark.imageBlind.ceiling', ...imageBlind(items), ties: true }],
  ];
  const blind = yield* blindColumns(items, seed);
  append(named, blind);
  const metrics = yield* allOf(named, ([, column]) => columns.metrics(column));
  const tested = testedBaselines(metrics);
  const left = leftBy(
    items.length,
    blind.filter(([name]) => tested.some((one) => one.name === name && one.isAbove)),
  );
  named.push(['left', left]);
  return {
    metrics: [...metrics, ...(yield* columns.metrics(left)), ...pMetrics(tested)],
    warnings: [],
    rows: rowsOf(items, named),
  };
}

/** The items that none of the baselines solves. */
function leftBy(n: number, solvers: readonly (readonly [name: string, column: Column])[]): Column {
  const shares = new Float64Array(n).fill(1);
  for (const [, solver] of solvers)
    for (const [i, share] of solver.shares.entries()) if (share === 1) shares[i] = 0;
  return { id: 'benchmark.left', shares };
}

function* rowsOf(
  items: readonly Item[],
  named: readonly (readonly [name: string, column: Column])[],
): Generator<BenchmarkRow> {
  for (const [i, { example, row, place, image, cluster, captions, right, tags }] of items.entries())
    yield {
      ...{ example, row, place, image },
      ...(cluster === undefined ? {} : { cluster }),
      ...{ captions: [...captions], right },
      credits: Object.fromEntries(
        named.flatMap(([name, { shares }]) => (Number.isNaN(shares[i]) ? [] : [[name, shares[i]]])),
      ),
      ...(Object.keys(tags).length === 0 ? {} : { tags }),
    };
}

/** What the ceilings say, which follows from the captions without a test, and the best blind baseline. */
export function benchmarkClaims(metrics: readonly Metric[]): Claim[] {
  const ceiling = (name: string): Metric | undefined => wholeMetric(metrics, `benchmark.${name}.ceiling`);
  const [order, image] = [ceiling('orderBlind'), ceiling('imageBlind')];
  const claims: Claim[] = [];
  if (order !== undefined && order.value !== null && order.value < 1)
    claims.push({
      text: say('benchmark.orderBlindClaim', percent(order.value)),
      rule: say('benchmark.orderBlindRule', order.ties ?? 0, order.n),
    });
  if (image !== undefined && image.value !== null && image.value < 1)
    claims.push({
      text: say('benchmark.imageBlindClaim', percent(image.value)),
      rule: say('benchmark.imageBlindRule', image.ties ?? 0, image.n),
    });
  return [...claims, ...blindClaims(metrics)];
}
