import { pauses } from '../errors';

/** A computation in steps. The caller may let other work run between them, or stop. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps at once, for computations that are known to be short. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs the steps, with `pause` between them. A signal stops the computation within a step. */
export async function inTurns<T>(
  steps: Steps<T>,
  by: AbortSignal | undefined | (() => Promise<void>),
): Promise<T> {
  const pause = typeof by === 'function' ? by : pauses(by);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}

/** Computes a result for each item, with a step between items. */
export function* eachOf<T, R>(items: Iterable<T>, of: (item: T, i: number) => Steps<R>): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(yield* of(item, results.length));
    yield;
  }
  return results;
}

/** Like `eachOf`, but joins the lists of results. */
export function* allOf<T, R>(
  items: Iterable<T>,
  of: (item: T, i: number) => Steps<readonly R[]>,
): Steps<R[]> {
  return (yield* eachOf(items, of)).flat();
}
