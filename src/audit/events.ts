import type { Problem } from '../dataset/dataset';
import type { Metric } from '../probe/metric';
import type { Report } from '../report/report';

/** What a run tells while it goes on. Plain data: it crosses process borders. */
export type AuditEvent =
  | { type: 'started'; probe: string; evaluators: string[]; format: string }
  | { type: 'progress'; probe: string; progress: AuditProgress }
  /** Where the main figures stand, a short while apart; what the report says at the end is another matter. */
  | { type: 'partialMetrics'; probe: string; partialMetrics: Standing[] }
  /** An entry of the dataset that is wrong, with its place. */
  | { type: 'problem'; probe: string; problem: Problem }
  /** Something the person should know that belongs to no entry. */
  | { type: 'notice'; message: string }
  | { type: 'report'; path: string; report: Report };

/** One evaluator's figures over the examples measured so far; they have no intervals yet. */
export interface Standing {
  evaluator: string;
  examples: number;
  metrics: Metric[];
}

export interface AuditProgress {
  /** How much of the dataset file has been worked through, 0 to 1; absent where that cannot be told. */
  fraction?: number;
  /** Examples measured so far. */
  examples: number;
  /** Distinct captions and photos that were asked for, that are there, and that were there before the run. */
  asked: number;
  done: number;
  fromStore: number;
  /** Captions and photos encoded per second. */
  rate?: number;
  secondsLeft?: number;
}
