/** Like `to.push(...items)`, but for lists of any length. A call with too many arguments overflows the stack. */
export function append<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}

/** The items by key, in the order of their first items. */
export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [item]);
    else own.push(item);
  }
  return groups;
}
