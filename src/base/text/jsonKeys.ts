/** Whether some object in a JSON text has a key twice. `value` is the parsed text. */
export function hasKeyTwice(json: string, value: unknown): boolean {
  return membersIn(json) !== keysIn(value);
}

/** The number of members of all objects in a JSON text: each has one colon outside strings. */
function membersIn(json: string): number {
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    if (json[at] === ':') members++;
    if (json[at] === '"') for (at++; json[at] !== '"'; at++) if (json[at] === '\\') at++;
  }
  return members;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  return (
    (Array.isArray(value) ? 0 : parts.length) + parts.reduce<number>((sum, part) => sum + keysIn(part), 0)
  );
}
