import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';

/** A hash of what a probe read besides the dataset, in maps and lists of any depth. Undefined if it read nothing. */
export function contentHash(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  // Equal strings may be serialized with one or two bytes a letter. A clone has the shorter form.
  return createHash('sha256')
    .update(serialize(structuredClone(value)))
    .digest('hex');
}
