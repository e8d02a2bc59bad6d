import { say, together } from '../../../base/say';
import type { Metric } from '../../metric';

/** The metric as one of altered entries of a kind, such as "mix-0.9". */
export function withKind(metric: Metric, kind: string): Metric {
  const own = say('rococo.alteredEntriesKind', kind);
  return { ...metric, kind, note: metric.note === undefined ? own : together(own, metric.note) };
}
