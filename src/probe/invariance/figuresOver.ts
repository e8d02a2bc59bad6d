import type { Steps } from '../../base/turns/steps';
import { lexicon } from '../../perturb/society/lexicon';
import type { Metric } from '../metric';
import type { PlanContext } from '../probe';
import type { InvarianceRow } from './row';
import { InvarianceSummary } from './summary';

/** The invariance metrics over the given rows. */
export function* figuresOver(
  rows: readonly InvarianceRow[],
  { dataset, seed, options, scores, scale }: Omit<PlanContext, 'image' | 'beside'>,
): Steps<Metric[]> {
  const templated = rows.some(({ source }) => source === 'template');
  const instances = templated ? { instances: { path: '', sha256: '', images: new Map() } } : {};
  const summary = new InvarianceSummary({
    dataset,
    seed,
    options,
    scores,
    beside: { lexicon, ...instances },
    ...(scale === undefined ? {} : { scale }),
  });
  for (const row of rows) summary.add(row);
  return (yield* summary.finish()).metrics;
}
