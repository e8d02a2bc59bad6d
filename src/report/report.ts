import type { EvaluatorInfo } from '../evaluator/evaluator';
import type { Metric, OptionValue } from '../probe/probe';

export const reportSchema = 'captious/report@1';

/** Entries that took no part, under one reason. */
export interface LeftOut {
  reason: string;
  count: number;
}

/** The value that leaves: one probe, one dataset, one evaluator, and all that is needed to make it again. */
export interface Report {
  schema: typeof reportSchema;
  probe: string;
  dataset: {
    path: string;
    sha256: string;
    format: string;
    /** Examples that took part. */
    examples: number;
    /** Entries that did not, and why. */
    skipped: number;
    leftOut: LeftOut[];
  };
  evaluator: EvaluatorInfo;
  options: Record<string, OptionValue>;
  seed: number;
  metrics: Metric[];
  /** File name of the rows, beside the report; their SHA-256. */
  rows: string;
  rowsSha256: string;
  warnings: string[];
  captious: string;
}
