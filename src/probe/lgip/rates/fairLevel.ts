/** The chance level of LGIP's rates, for verdicts, cards and gates. */
import { type Metric, metricOf, type Slice } from '../../metric';

export function tiesOf(metrics: readonly Metric[], id: string, slice?: Slice): { ties: number; n: number } {
  // The rate of all flips is a mean over captions, so only the pooled one counts flips.
  const whole = id === 'lgip.pr' && slice === undefined ? 'lgip.pr.pooled' : id;
  const { ties = 0, n = 0 } = metricOf(metrics, whole, slice) ?? {};
  return { ties, n };
}

/** The rate of an evaluator that guesses where it does not tie: ties count as not caught. */
export function fairLevel(metrics: readonly Metric[], id: string, slice?: Slice): number {
  const { ties, n } = tiesOf(metrics, id, slice);
  return n === 0 ? 0.5 : 0.5 * (1 - ties / n);
}
