import { createHash } from 'node:crypto';
import { CaptiousError } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { list, record, ShapeError, text } from '../../base/shape';

/** The reference captions of each image. */
export interface References {
  sha256: string;
  /** Returns an image's references except `caption`, which would match itself. */
  of: (image: string, caption: string) => string[];
}

const limits = { bytes: 256 << 20, depth: 4, parts: 1 << 24 };
const shape = record(list(text));

/** Reads a file such as { "dog.jpg": ["A dog runs.", "…"] }. */
export async function readReferences(path: string): Promise<References> {
  const bytes = await readBounded(path, limits.bytes);
  let found: Record<string, string[]>;
  try {
    found = shape(parseJson(bytes, limits), '');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new CaptiousError(
      'input',
      say`A references file must be a JSON object with a list of captions for each image name: ${error.message}`,
      {
        at: path,
        remedy: say`Example: { "dog.jpg": ["A dog runs.", "A brown dog in the grass."] }.`,
      },
    );
  }
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    of: (image, caption) =>
      Object.hasOwn(found, image) ? found[image].filter((reference) => reference !== caption) : [],
  };
}
