import type { Problem } from '../dataset/dataset';
import type { Metric } from '../probe/metric';
import type { Report } from '../report/report';

/** Events of a run, as plain data that can cross processes. */
export type AuditEvent =
  | { type: 'started'; probe: string; evaluators: string[]; format: string }
  | { type: 'progress'; probe: string; progress: AuditProgress }
  /** The main metrics so far, sent periodically. The report's final values may differ. */
  | { type: 'partialMetrics'; probe: string; partialMetrics: Standing[] }
  /** An error or a warning about an entry of the dataset. */
  | { type: 'problem'; probe: string; problem: Problem }
  /** A message for the user about the run as a whole. */
  | { type: 'notice'; message: string }
  | { type: 'report'; path: string; report: Report };

/** One evaluator's metrics over the examples so far, without intervals. */
export interface Standing {
  evaluator: string;
  examples: number;
  metrics: Metric[];
}

export interface AuditProgress {
  /** The finished share of the probe's run, from 0 to 1; absent if unknown. */
  fraction?: number;
  /** The number of dataset entries measured so far. For a gallery probe, the number of entries read so far. */
  examples: number;
  /** The number of requested items (captions, images or pairs). Of these, `done` are finished. */
  asked: number;
  done: number;
  /** How many requested items were in the store. */
  fromStore: number;
  /** Items per second. */
  rate?: number;
  secondsLeft?: number;
}
