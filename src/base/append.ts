/** Like `to.push(...items)` for lists of any length: the stack limits the arguments of a call. */
export function append<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}
