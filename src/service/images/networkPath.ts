/** Recognises paths on other computers. */

/** The host in a network path. Windows logs in to the host when a program accesses such a path. */
function networkHost(path: string): string | undefined {
  return /^[\\/]{2}([^\\/]+)/.exec(path)?.[1].toLowerCase();
}

/** Whether a path names a host that does not occur in the known paths. */
export function isOnOtherHost(path: string, known: readonly string[]): boolean {
  const host = networkHost(path);
  return host !== undefined && !known.some((one) => networkHost(one) === host);
}
