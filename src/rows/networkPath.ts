/** Recognises paths on other computers. */

/** The host in a network path. Windows logs in to a host when such a path is accessed. */
function networkHost(path: string): string | undefined {
  return /^[\\/]{2}([^\\/]+)/.exec(path)?.[1].toLowerCase();
}

/** Whether a path is on a host that no known path is on. */
export function isOnOtherHost(path: string, known: readonly string[]): boolean {
  const host = networkHost(path);
  return host !== undefined && !known.some((one) => networkHost(one) === host);
}
