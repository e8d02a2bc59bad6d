/**
 * The result of one item of a batch: its value or its problem. A fleeting value is not stored for later runs, because
 * the evaluator's key does not cover everything that it depends on.
 */
import type { Words } from './say';
export type Outcome<T> = { ok: true; value: T; fleeting?: true } | Failure;

export interface Failure {
  ok: false;
  problem: Words;
  /** Set if Captious could not read or change the image, so that the evaluator was never asked. */
  unreadable?: true;
}
