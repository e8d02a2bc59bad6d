/**
 * How this room answers when there is no number to give. Two cases, kept apart everywhere:
 * - what the caller got wrong (NaN or an infinity in the data, lengths that differ, a level of 95) throws a RangeError;
 * - what the data cannot answer (one value, no variance, no pair) is a value of its own, with the reason in words.
 * No function of this room returns NaN or an infinity unless its own comment says where.
 */
export interface NotDefined {
  readonly reason: string;
}

export type Outcome<T> = T | NotDefined;

export function notDefined(reason: string): NotDefined {
  return { reason };
}

export function isDefined<T>(outcome: Outcome<T>): outcome is T {
  return !(typeof outcome === 'object' && outcome !== null && 'reason' in outcome);
}

/** The values as doubles, every one of them finite. The array itself where it is one already: do not write to it. */
export function finite(values: ArrayLike<number>, what = 'Value'): Float64Array {
  const out = values instanceof Float64Array ? values : Float64Array.from(values);
  for (let i = 0; i < out.length; i++) {
    if (!Number.isFinite(out[i])) throw new RangeError(`${what} ${i} is ${out[i]}, not a finite number.`);
  }
  return out;
}

export function sameLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) throw new RangeError(`${a.length} values stand beside ${b.length}.`);
}

/** A count: a whole number, zero or more. */
export function count(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${what} is ${value}, not a whole number.`);
  return value;
}

/** A probability strictly between 0 and 1. */
export function openUnit(value: number, what: string): number {
  if (!(value > 0 && value < 1)) throw new RangeError(`${what} is ${value}, not between 0 and 1.`);
  return value;
}
