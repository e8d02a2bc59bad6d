import type { AuditOrder } from '../../protocol/runner';
import type { RunRecord } from './runRecord';

/** What the process of a run needs to know. `folder` is the folder of the run's record. */
export function auditOrderOf(record: RunRecord, folder: string, home: string): AuditOrder {
  const { dataset, probes, evaluators, images, out = folder } = record;
  const { seed, draws, limit, cluster, options, python, experiment } = record;
  return {
    ...{ dataset, probes, evaluators, images, out, home },
    ...(seed === undefined ? {} : { seed }),
    ...(draws === undefined ? {} : { draws }),
    ...(limit === undefined ? {} : { limit }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(options === undefined ? {} : { options }),
    ...(python === undefined ? {} : { python }),
    ...(experiment === undefined ? {} : { experiment }),
  };
}
