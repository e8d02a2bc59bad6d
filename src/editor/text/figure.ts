import type { Words } from '../../base/say';
import type { Report } from '../../report/report';
import { viewFor } from '../../probe/views';

type Measured = Pick<Report, 'probe' | 'metrics'>;

/** The leading metric of a report in words; undefined where it has none to show. */
export function figureOf({ probe, metrics }: Measured): Words | undefined {
  for (const { metric: id, words } of viewFor(probe).leading ?? []) {
    const metric = metrics.find((candidate) => id.test(candidate.id) && candidate.slice === undefined);
    if (typeof metric?.value === 'number') return words(`${Math.round(metric.value * 100)} %`);
  }
  return undefined;
}

/** What the lens over a file says, where that is more than the leading metric. */
export function sentenceOf({ probe, metrics }: Measured): Words | undefined {
  return viewFor(probe).sentence?.(metrics);
}
