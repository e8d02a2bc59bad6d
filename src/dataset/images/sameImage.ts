import { say } from '../../base/say';
import { readStored } from '../../base/files/archived';
import type { NoImage } from './foundImage';

/** Larger files count as different images. */
const mostCompared = 64 << 20;

/** The first of some files if all have the same bytes, because copies of one image are not ambiguous. */
export async function onlyImage(files: readonly string[]): Promise<string | NoImage> {
  const [first, ...others] = files;
  if (others.length === 0 || (await haveSameBytes(first, others))) return first;
  return {
    ok: false,
    reason: 'ambiguous',
    message: say('dataset.severalFilesOfName', files.length),
    places: files,
  };
}

async function haveSameBytes(first: string, others: readonly string[]): Promise<boolean> {
  try {
    const bytes = await readStored(first, mostCompared);
    for (const other of others) if (!bytes.equals(await readStored(other, mostCompared))) return false;
    return true;
  } catch {
    return false;
  }
}
