/** `to.push(...items)` for lists of any length: a call takes no more arguments than the stack holds. */
export function append<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}
