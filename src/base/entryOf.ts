/** Looks up an external name in a table. An inherited name such as "constructor" gives undefined. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
