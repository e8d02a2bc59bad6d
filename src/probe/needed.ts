/* Estimates how many examples a verdict needs if the interval of a rate contains the chance level. */
import { say, type Words } from '../base/say';
import type { Metric } from './metric';

/** Normal quantiles for 97.5 % and 80 %. They are constants because the browser's bundle contains this module. */
const [level, power] = [1.959963984540054, 0.8416212335729143];
/** The largest number of examples to suggest. */
const most = 1_000_000;

/**
 * Estimates how many examples make the interval exclude the chance level with a probability of 80 %, if the rate
 * stays the same. The number is rounded up to two digits. Undefined without an interval, or above a million.
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

/** The text for a rate whose interval contains the chance level, with the number of examples for a verdict. */
export function chanceWords(metric: Metric, chance: number): Words {
  const needed = examplesNeeded(metric, chance);
  const n = metric.n.toLocaleString('en');
  return needed === undefined
    ? say('probe.notFromChance', n)
    : say('probe.notFromChanceNeeds', n, needed.toLocaleString('en'));
}
