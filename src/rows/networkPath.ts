/** Recognises paths to other computers. */

/** The host of a network path. Windows logs in to a host as soon as it accesses such a path. */
function networkHost(path: string): string | undefined {
  return /^[\\/]{2}([^\\/]+)/.exec(path)?.[1].toLowerCase();
}

/** Whether a path leads to a host that no known path is on. */
export function isOnOtherHost(path: string, known: readonly string[]): boolean {
  const host = networkHost(path);
  return host !== undefined && !known.some((one) => networkHost(one) === host);
}
