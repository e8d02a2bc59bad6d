import type { Words } from '../../base/say';
import type { Report } from '../../report/report';
import { viewFor } from '../../probe/views';

type Measured = Pick<Report, 'probe' | 'metrics'>;

/** The most important metric of a report as text; undefined if it has no value. */
export function figureOf({ probe, metrics }: Measured): Words | undefined {
  for (const { metric: id, words } of viewFor(probe).leading ?? []) {
    const metric = metrics.find((candidate) => id.test(candidate.id) && candidate.slice === undefined);
    if (typeof metric?.value === 'number') return words(`${Math.round(metric.value * 100)} %`);
  }
  return undefined;
}

/** The text for the CodeLens above the file, if it says more than the most important metric. */
export function sentenceOf({ probe, metrics }: Measured): Words | undefined {
  return viewFor(probe).sentence?.(metrics);
}
