/* Which evaluators are better than chance on the items that no blind baseline solves. */
import { pEquals } from '../../../base/pValue';
import { say } from '../../../base/say';
import { percent } from '../../claim';
import { verdictLevel } from '../../claimFamily';
import { type Metric, metricOf, type Claim } from '../../metric';

const id = 'benchmark.beyondBlind';

/** One verdict for all evaluators that are above chance, and one for all others that were tested. */
export function evaluatorClaims(metrics: readonly Metric[]): Claim[] {
  const tested = metrics.flatMap(({ id: own, slice, value: p }) => {
    const metric = own === `${id}.p` ? metricOf(metrics, id, slice) : undefined;
    if (metric?.chance === undefined || metric.value === null || p === null) return [];
    const { value, chance } = metric;
    return [
      { name: String(slice?.evaluator), p, value, chance, isAbove: value > chance && p < verdictLevel },
    ];
  });
  return [true, false].flatMap((side) => {
    const own = tested.filter(({ isAbove }) => isAbove === side).sort((a, b) => b.value - a.value);
    if (own.length === 0) return [];
    const names = own.map(({ name, value }) => `${name} (${percent(value)})`).join(', ');
    const ps = own.map(({ name, p }) => `${name}: ${pEquals(p)}`).join(', ');
    return [
      {
        text: side
          ? say('benchmark.beyondBlindAbove', own.length, names)
          : say('benchmark.beyondBlindNotAbove', own.length, names),
        rule: say('benchmark.beyondBlindRule', percent(own[0].chance), tested.length, ps, verdictLevel),
      },
    ];
  });
}
