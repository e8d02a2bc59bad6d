/* What models of answers say about items: how hard they are, how well they tell evaluators apart, and which labels may be wrong. */
import { say, type Words } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { flipsIn } from '../../../stats/irt/flips';
import { itemResponse } from '../../../stats/irt/itemResponse';
import { ascendingOrder } from '../../../stats/order';
import type { Metric } from '../../metric';
import type { ItemFindings } from '../row';
import type { Asked } from './asked';

/** With fewer evaluators, no model of items is fitted: an item has as many answers as evaluators. */
const leastForModels = 3;
/** With fewer evaluators, all items have one discrimination. */
const leastForOwnSlopes = 8;
/** An item is suspected if its label is more likely wrong than right. */
const suspectedFrom = 0.5;

/** 97.5 % quantile of the normal distribution. */
const reach = 1.959963984540054;

export interface ItemModels {
  metrics: Metric[];
  warnings: Words[];
  ofItem: (i: number) => Omit<ItemFindings, 'credits' | 'subset'>;
}

export function* itemModels({ items, evaluators }: Asked): Steps<ItemModels> {
  const answered = items
    .map((_, i) => i)
    .filter((i) => evaluators.filter(({ credits }) => !Number.isNaN(credits[i])).length >= leastForModels);
  const metrics = alike(
    answered,
    evaluators.map(({ credits }) => credits),
  );
  if (answered.length === 0)
    return {
      metrics,
      warnings: [say('benchmark.tooFewForModels', evaluators.length, leastForModels)],
      ofItem: () => ({}),
    };
  const answers = {
    credits: evaluators.map(({ credits }) => Float64Array.from(answered, (i) => credits[i])),
    options: answered.map((i) => items[i].captions.length),
  };
  const hasOwn = evaluators.length >= leastForOwnSlopes;
  const fit = yield* itemResponse(answers, { discrimination: hasOwn ? 'own' : 'common' });
  const flips = yield* flipsIn(answers);
  const order = ascendingOrder(flips.probability.map((own) => -own));
  const rankOf = new Uint32Array(answered.length);
  for (const [rank, at] of order.entries()) rankOf[at] = rank + 1;
  const suspects = flips.probability.filter((own) => own > suspectedFrom).length;
  const at = new Map(answered.map((i, a) => [i, a]));
  const n = answered.length;
  return {
    metrics: [
      ...metrics,
      ...evaluators.map(({ name }, e): Metric => ({
        ...{ id: 'benchmark.ability', slice: { evaluator: name }, value: fit.ability[e], n },
        ci: [fit.ability[e] - reach * fit.abilityError[e], fit.ability[e] + reach * fit.abilityError[e]],
        note: hasOwn ? say('benchmark.byOwnSlopes') : say('benchmark.byCommonSlope'),
      })),
      { id: 'benchmark.suspects', value: suspects, n, note: say('benchmark.suspectsNote') },
    ],
    warnings: [
      ...(hasOwn ? [] : [say('benchmark.commonSlope', evaluators.length, leastForOwnSlopes)]),
      ...(fit.isConverged && flips.isConverged ? [] : [say('benchmark.notConverged')]),
    ],
    ofItem(i) {
      const a = at.get(i);
      if (a === undefined) return {};
      // An item that does not tell evaluators apart is not hard or easy for any of them.
      const isSteep = fit.discrimination[a] > reach * fit.discriminationError[a];
      return {
        wrongLabel: flips.probability[a],
        suspect: rankOf[a],
        ...(isSteep ? { difficulty: [fit.difficulty[a], fit.difficultyError[a]] } : {}),
        ...(hasOwn ? { discrimination: [fit.discrimination[a], fit.discriminationError[a]] } : {}),
      };
    },
  };
}

/** How many items all evaluators get right or wrong. These items do not tell evaluators apart. */
function alike(answered: readonly number[], credits: readonly Float64Array[]): Metric[] {
  const count = (all: number): number =>
    answered.filter((i) => credits.every((own) => Number.isNaN(own[i]) || own[i] === all)).length;
  const n = answered.length;
  return n === 0
    ? []
    : [
        { id: 'benchmark.allRight', value: count(1), n },
        { id: 'benchmark.allWrong', value: count(0), n },
      ];
}
