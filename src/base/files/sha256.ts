import { createHash } from 'node:crypto';

/** The SHA-256 of a value's JSON, which identifies evaluators, settings and prompts. */
export function sha256Of(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
