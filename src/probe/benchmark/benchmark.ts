import { append } from '../../base/lists';
import { say, type Words } from '../../base/say';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { percent } from '../claim';
import type { Metric, Claim } from '../metric';
import type { Findings, ProbeBase } from '../probe';
import { wholeMetric } from '../view';
import { blindColumns } from './blind/baselines';
import { Corpus } from './blind/corpus';
import { blindClaims, leftBy, pMetrics, testedBaselines } from './blind/verdict';
import { imageBlind, orderBlind } from './ceilings';
import { benchmarkCharts } from './charts';
import { type Column, Columns } from './columns';
import { evaluatorClaims } from './evaluators/claims';
import { checkEvaluators, type EvaluatorFindings } from './evaluators/evaluators';
import type { Fault } from './faultNames';
import { faultCounts, faultsIn } from './faults';
import { type Item, itemsOf } from './items';
import type { Known } from './known';
import type { BenchmarkRow } from './row';
import { benchmarkView, faultsOf } from './view';

/** As a probe, it says what its reports mean. No audit has it, because no evaluator takes part. */
export const benchmark: ProbeBase<BenchmarkRow> = {
  ...benchmarkView,
  options: [],
  needs: () => [],
  refuse: (example) => refusal(example),
  claims: benchmarkClaims,
  faults: (row) => faultsOf(row).map((message) => ({ message, size: 1 })),
  shares: () => [],
  charts: ({ metrics }) =>
    Promise.resolve(
      benchmarkCharts(metrics).map((chart) => ({ type: 'panel' as const, title: chart.title, chart })),
    ),
  slicesInTableOnly: true,
};

/** Why an example is left out: nothing can be chosen in it. Undefined for others. */
export function refusal(
  example: Example,
  items: () => readonly Item[] = () => itemsOf(example),
): Words | undefined {
  if (!benchmarkView.madeFor.some((form) => form === example.form)) return say('choice.notChoice');
  return items().length === 0 ? say('choice.nothingToChoose') : undefined;
}

export interface Checked extends Findings {
  rows: Iterable<BenchmarkRow>;
}

/** Checks a benchmark's items without any evaluator. Evaluators that have been audited before say more about them. */
export function* checkItems(items: readonly Item[], seed: number, known: Known = {}): Steps<Checked> {
  const columns = new Columns(items);
  yield;
  const order = orderBlind(items);
  yield;
  const named: (readonly [name: string, column: Column])[] = [
    ['orderBlind', { id: 'benchmark.orderBlind.ceiling', ...order, ties: true }],
    ['imageBlind', { id: 'benchmark.imageBlind.ceiling', ...imageBlind(items), ties: true }],
  ];
  const corpus = new Corpus(items, seed);
  yield;
  const blind = yield* blindColumns(corpus, known.blind, known.told);
  append(named, blind);
  const metrics = yield* allOf(named, ([, column]) => columns.metrics(column));
  const tested = testedBaselines(metrics);
  const above = blind.filter(([name]) => tested.some((one) => one.name === name && one.isAbove));
  const shares = above.map(([name, column]) => [name, column.shares] as const);
  const left: Column = { id: 'benchmark.left', shares: leftBy(items.length, shares) };
  named.push(['left', left]);
  yield;
  const faults = yield* faultsIn(corpus, known);
  yield;
  const { evaluators } = known;
  const several =
    evaluators && (yield* checkEvaluators({ items, columns, left: left.shares, evaluators, seed }));
  return {
    metrics: [
      ...metrics,
      ...mootOf(above.length, yield* columns.metrics(left)),
      ...pMetrics(tested),
      ...faultCounts(faults, columns.clusters),
      ...(yield* positions(items, columns)),
      ...(several?.metrics ?? []),
    ],
    warnings: several?.warnings ?? [],
    rows: rowsOf(items, named, faults, known, several?.ofItem),
  };
}

/** Without a baseline that is better than chance, all items are left, whatever they are. */
function mootOf(baselines: number, left: readonly Metric[]): Metric[] {
  const moot = { moot: true, note: say('benchmark.leftOfNone') };
  return left.map((metric) => (baselines === 0 ? { ...metric, ...moot } : metric));
}

/** The most places of a list that have a metric. */
const mostPlaces = 10;

/** How often the right caption has each place of a list. */
function* positions(items: readonly Item[], columns: Columns): Steps<Metric[]> {
  const longest = items.reduce(
    (most, item) => (item.isList ? Math.max(most, item.captions.length) : most),
    0,
  );
  return yield* eachOf(Array(Math.min(longest, mostPlaces)).keys(), (at) =>
    columns.metric(
      {
        id: 'benchmark.position',
        shares: Float64Array.from(items, ({ captions, right, isList }) =>
          !isList || at >= captions.length ? NaN : right === at ? 1 : 0,
        ),
        chances: Float64Array.from(items, ({ captions }) => 1 / captions.length),
      },
      { position: at + 1 },
    ),
  );
}

function* rowsOf(
  items: readonly Item[],
  named: readonly (readonly [name: string, column: Column])[],
  faults: ReadonlyMap<Fault, Uint8Array>,
  { alike, names, leaks }: Known,
  ofEvaluators?: EvaluatorFindings['ofItem'],
): Generator<BenchmarkRow> {
  for (const [i, item] of items.entries()) {
    const { example, row, place, image, imageKey, cluster, captions, right, tags } = item;
    const like = imageKey === undefined ? undefined : alike?.get(imageKey)?.imageKey;
    const own = [...faults].flatMap(([fault, found]) => (found[i] === 1 ? [fault] : []));
    yield {
      ...{ example, row, place, image },
      ...(cluster === undefined ? {} : { cluster }),
      ...{ captions: [...captions], right },
      credits: Object.fromEntries(
        named.flatMap(([name, { shares }]) => (Number.isNaN(shares[i]) ? [] : [[name, shares[i]]])),
      ),
      ...(own.length === 0 ? {} : { faults: own }),
      ...(like === undefined ? {} : { earlierImage: names?.get(like) ?? like }),
      ...(leaks?.[i] === undefined ? {} : { leaks: leaks[i] }),
      ...(Object.keys(tags).length === 0 ? {} : { tags }),
      ...(ofEvaluators === undefined ? {} : { evaluators: ofEvaluators(i) }),
    };
  }
}

/** What the ceilings say, which follows from the captions without a test, and the best blind baseline. */
function benchmarkClaims(metrics: readonly Metric[]): Claim[] {
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
  return [...claims, ...blindClaims(metrics), ...evaluatorClaims(metrics)];
}
