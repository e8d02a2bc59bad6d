import type { Columns } from '../columns';
import type { Item } from '../items';

/** The answers of one evaluator. */
export interface AuditedEvaluator {
  name: string;
  /** The credit for each item; NaN for items without an answer. */
  credits: Float64Array;
}

export interface Asked {
  items: readonly Item[];
  columns: Columns;
  /** 1 for items that no blind baseline solves which is better than chance. */
  left: Float64Array;
  evaluators: readonly AuditedEvaluator[];
  seed: number;
}
