import type { Words } from '../base/say';

/** Why data have no result, such as no variance. Invalid input (NaN, unequal lengths) is a RangeError. */
export interface NotDefined {
  readonly reason: Words;
}

export type Outcome<T> = T | NotDefined;

export function notDefined(reason: Words): NotDefined {
  return { reason };
}

export function isDefined<T>(outcome: Outcome<T>): outcome is T {
  return !(typeof outcome === 'object' && outcome !== null && 'reason' in outcome);
}

/** Returns the values as doubles. Throws if a value is not finite. Callers must not modify the result. */
export function finite(values: ArrayLike<number>, what = 'Value'): Float64Array {
  const out = values instanceof Float64Array ? values : Float64Array.from(values);
  for (let i = 0; i < out.length; i++) {
    if (!Number.isFinite(out[i])) throw new RangeError(`${what} ${i} is ${out[i]}, not a finite number.`);
  }
  return out;
}

export function sameLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) throw new RangeError(`Paired lists have ${a.length} and ${b.length} values.`);
}

/** Throws unless a value is a non-negative integer. */
export function count(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${what} is ${value}, not a whole number.`);
  return value;
}

/** Throws unless a probability is strictly between 0 and 1. */
export function openUnit(value: number, what: string): number {
  if (!(value > 0 && value < 1)) throw new RangeError(`${what} is ${value}, not between 0 and 1.`);
  return value;
}
