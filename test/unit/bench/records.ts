import { createHash } from 'node:crypto';
import type { StoreRecord } from '../../../src/bench/store/writer';

/** A record whose name determines its payload, so any reader can check it. */
export function recordNamed(name: string): StoreRecord {
  const key = createHash('sha256').update(name).digest();
  const length = 4 + 4 * (key[9] % 48);
  const payload = Buffer.alloc(length);
  for (let at = 0; at < length; at++) payload[at] = key[at % 32] ^ (at * 31);
  return { key, payload };
}
