/* How many examples a verdict needs, for rates whose interval contains the chance level. */
import { say, type Words } from '../base/say';
import type { Metric } from './metric';

/** The quantiles of the normal distribution for 97.5 % and 80 %. Views are in the browser's bundle, so they are constants. */
const [level, power] = [1.959963984540054, 0.8416212335729143];
/** More examples than this are no advice. */
const most = 1_000_000;

/**
 * The examples with which an interval excludes the chance level with a probability of 80 %, if the value stays
 * and the interval shrinks with the square root of n. Rounded up to two digits. Undefined above a million.
 */
export function examplesNeeded(
  { value, n, ci }: Pick<Metric, 'value' | 'n' | 'ci'>,
  chance: number,
): number | undefined {
  if (value === null || ci === undefined) return undefined;
  const distance = Math.abs(value - chance);
  const reach = value > chance ? value - ci[0] : ci[1] - value;
  const needed = n * (((1 + power / level) * reach) / distance) ** 2;
  if (!(needed <= most)) return undefined;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(needed)) - 1);
  return Math.ceil(needed / step) * step;
}

/** Says that a rate cannot be told from chance, and how many examples would decide it. */
export function chanceWords(metric: Metric, chance: number): Words {
  const needed = examplesNeeded(metric, chance);
  const n = metric.n.toLocaleString('en');
  return needed === undefined
    ? say`cannot be told from chance at n = ${n}`
    : say`cannot be told from chance at n = ${n}; about ${needed.toLocaleString('en')} needed`;
}
