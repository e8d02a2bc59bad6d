/** Caches decoded images, because a probe alters an image several times. */
import { stat } from 'node:fs/promises';
import { storedIn } from '../../../base/files/archived';
import type { Pixels } from '../../../perturb/image/pixels';
import { resize } from './resample';
import type { Decoding } from '../../../protocol/imageSpec';
import type { ImageSource } from '../../../protocol/item';
import { decode } from './decode';

/** The most bytes of all cached pixels together. An image with more bytes is not cached. */
const mostBytes = 16 << 20;

const cached = new Map<string, Pixels>();
let bytes = 0;

/** An image's pixels, which callers must not change. */
export function decoded(source: ImageSource, how: Decoding = {}): Promise<Pixels> {
  return fromCache(source, `${how.exif ?? ''} ${how.behind ?? ''}`, () => decode(source, how));
}

/** An image, resized to a square of `side` × `side` pixels. */
export function squareOf(source: ImageSource, side: number): Promise<Pixels> {
  return fromCache(source, String(side), async () => resize(await decoded(source), side, side, 'bicubic'));
}

async function fromCache(source: ImageSource, form: string, make: () => Promise<Pixels>): Promise<Pixels> {
  if (!('path' in source)) return make();
  const state = await stat(storedIn(source.path), { bigint: true }).catch(() => undefined);
  if (state === undefined) return make();
  const key = [source.path, form, state.ino, state.size, state.mtimeNs, state.ctimeNs].join('\n');
  const known = cached.get(key);
  if (known !== undefined) {
    // Moves the image to the end of the map. Images at the start, which were not used recently, are removed first.
    cached.delete(key);
    cached.set(key, known);
    return known;
  }
  const made = await make();
  if (made.data.length <= mostBytes && !cached.has(key)) {
    cached.set(key, made);
    bytes += made.data.length;
  }
  for (const [oldest, { data }] of cached) {
    if (bytes <= mostBytes) break;
    cached.delete(oldest);
    bytes -= data.length;
  }
  return made;
}
