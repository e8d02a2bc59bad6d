/** The side of a rate over replaced words. The browser's bundle contains this module, so it imports no words. */
import { against, type Side } from '../../claim';
import { type Metric, metricOf, type Slice } from '../../metric';

/** One observation per replaced word. */
export const byWord: Slice = { unit: 'replaced word' };

/** The side, unless the metric does not lie on it with one observation per replaced word, too. */
export function sideByWord(metrics: readonly Metric[], id: string, side: Side, level: number): Side {
  const words = metricOf(metrics, id, byWord);
  return !words || (words.ci && against(words.ci, level) === side) ? side : 'across';
}
