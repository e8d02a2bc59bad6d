/** Recognises paths that lead to other computers. */

/** The host in a network path. Accessing such a path makes Windows log in to the host. */
function networkHost(path: string): string | undefined {
  return /^[\\/]{2}([^\\/]+)/.exec(path)?.[1].toLowerCase();
}

/** Whether a path leads to a host that is not the host of any known path. */
export function isOnOtherHost(path: string, known: readonly string[]): boolean {
  const host = networkHost(path);
  return host !== undefined && !known.some((one) => networkHost(one) === host);
}
