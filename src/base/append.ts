/** Like `to.push(...items)`, but for lists of any length. A call with too many arguments overflows the stack. */
export function append<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}
