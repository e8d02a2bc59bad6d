/** Reads values from configuration files, which may contain anything. */
export type Json = Record<string, unknown>;

export function objectAt(source: Json | undefined, key: string): Json | undefined {
  const value = source?.[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

export function stringAt(source: Json | undefined, key: string): string | undefined {
  const value = source?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(source: Json | undefined, key: string): number | undefined {
  const value = source?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function booleanAt(source: Json | undefined, key: string): boolean | undefined {
  const value = source?.[key];
  return typeof value === 'boolean' ? value : undefined;
}
