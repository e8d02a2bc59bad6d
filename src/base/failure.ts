import { actionable, CaptiousError, Reason, wordsOf } from './errors';
import { choice, object, optional, type Shaped, text, words } from './shape';

/** An error as data, which can be sent to another process. */
export const failure = object({
  kind: choice('usage', 'input', 'evaluator', 'interrupted', 'defect'),
  message: words,
  at: optional(text),
  remedy: optional(words),
  stack: optional(text),
});
export type Failure = Shaped<typeof failure>;

export function failureOf(thrown: unknown): Failure {
  const error = actionable(thrown);
  if (error instanceof CaptiousError) {
    const { kind, what, details } = error;
    const { at, remedy } = details;
    return {
      kind,
      message: what,
      ...(at === undefined ? {} : { at }),
      ...(remedy === undefined ? {} : { remedy }),
    };
  }
  const defect: Failure = { kind: 'defect', message: wordsOf(error) };
  if (error instanceof Error && error.stack !== undefined) defect.stack = error.stack;
  return defect;
}

/** Restores the error from its data, as far as possible. */
export function errorOf({ kind, message, at, remedy, stack }: Failure): Error {
  if (kind !== 'defect') return new CaptiousError(kind, message, { at, remedy });
  const error = typeof message === 'string' ? new Error(message) : new Reason(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
