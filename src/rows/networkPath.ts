/** Recognises paths that lead to other computers. */

/** The host of a network path. Windows logs in there as soon as it looks at such a path. */
function networkHost(path: string): string | undefined {
  return /^[\\/]{2}([^\\/]+)/.exec(path)?.[1].toLowerCase();
}

/** Whether a path leads to a host that none of these paths is on. */
export function isOnOtherHost(path: string, known: readonly string[]): boolean {
  const host = networkHost(path);
  return host !== undefined && !known.some((one) => networkHost(one) === host);
}
