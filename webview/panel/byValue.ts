/** The positions of the values in order. Missing values are last, and equal values keep their order. */
export function byValue(values: readonly (number | null | undefined)[], isDescending: boolean): number[] {
  const key = (at: number) => values[at] ?? (isDescending ? -Infinity : Infinity);
  return [...values.keys()].sort((a, b) => {
    if (key(a) === key(b)) return a - b;
    return key(a) < key(b) === isDescending ? 1 : -1;
  });
}
