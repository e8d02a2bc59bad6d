import { createHash } from 'node:crypto';
import type { ImageRef } from '../example';

/** What entries of one image have in common. Embedded images may share a name, so their bytes count, too. */
export function imageKey({ name, crop, bytes }: ImageRef): string {
  const hash = bytes && createHash('sha256').update(bytes).digest('hex');
  return JSON.stringify([name, crop && [crop.x, crop.y, crop.width, crop.height], hash]);
}
