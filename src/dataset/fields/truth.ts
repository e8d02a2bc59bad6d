const words = new Map([
  ['1', true],
  ['1.0', true],
  ['true', true],
  ['yes', true],
  ['0', false],
  ['0.0', false],
  ['false', false],
  ['no', false],
]);

/** Reads 0 and 1, true and false, yes and no. Returns undefined for any other value. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' || typeof value === 'string'
    ? words.get(String(value).trim().toLowerCase())
    : undefined;
}
