/** Like `to.push(...items)`, but for lists of any length. A call with too many arguments overflows the stack. */
export function append<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}

/** The items by key, in the order of their first items. */
export function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

interface Keyed<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key. If the map has none, `make` makes it. */
export function valueIn<K, V>(map: Keyed<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Adds an item to the list of a key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  valueIn(lists, key, () => []).push(item);
}

/** The parts of a text between commas. */
export function listed(text: unknown): string[] {
  const parts = String(text).split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
