/* Finds the training step of a checkpoint in the names of an evaluator. */
import { usageError } from '../../base/errors';
import { say } from '../../base/say';

/** Matches "step_500", "checkpoint-500", "ckpt500", "iter=500" and "epoch 5". */
export const usualSteps = /(?:step|checkpoint|ckpt|iter|epoch)s?[-_= ]?(\d+)/i;

/** The pattern of --step. Throws if it is invalid or has no group. */
export function stepPattern(given: string): RegExp {
  try {
    const groups = new RegExp(`${given}|`).exec('')!.length - 1;
    if (groups === 1) return new RegExp(given);
  } catch {
    // The error below says what is expected.
  }
  throw usageError(say('report.stepPatternInvalid', given), say('report.giveStepPattern'));
}

/** The number in the first name that matches. Undefined if none does. */
export function stepOf(names: readonly (string | undefined)[], pattern: RegExp): number | undefined {
  for (const name of names) {
    const found = name === undefined ? undefined : pattern.exec(name)?.[1];
    const step = found === undefined || found === '' ? Number.NaN : Number(found);
    if (Number.isFinite(step)) return step;
  }
  return undefined;
}
