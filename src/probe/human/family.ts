/* Whether an evaluator prefers captions of its own family of models more than people do. */
import { say, together } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { Clusters } from '../figure';
import { Difference } from '../inference/difference';
import { clusterOf, type Metric } from '../metric';
import { type HumanRow, leadOf } from './row';

/**
 * The share of errors in favour of the family (people prefer the other caption) minus that of errors against it (people
 * prefer its caption). An evaluator with errors but no preference has the same share of both. Ties are half an error.
 */
export function* familyMetrics(rows: readonly HumanRow[], family: readonly string[]): Steps<Metric[]> {
  if (family.length === 0) return [];
  const difference = new Difference('shares');
  const clusters = new Clusters();
  for (const row of rows) {
    const own = (row.systems ?? []).map((system) => family.includes(system));
    if (own.length !== 2 || own[0] === own[1] || row.preferred === null || row.preferred === undefined)
      continue;
    const lead = leadOf(row, row.scores.length - 1);
    const error = lead === 0 ? 0.5 : lead > 0 ? 0 : 1;
    difference.addTo(own[row.preferred] ? 'second' : 'first', error, clusters.of(clusterOf(row)));
  }
  const [whole, ...rest] = yield* difference.metrics('human.family');
  return [{ ...whole, note: together(say('human.familyOf', family.join(', ')), whole.note) }, ...rest];
}
