/* The list of downloaded images in their folder: a line for each address, and the last line of an address counts. */
import { join } from 'node:path';
import { chunksOf, linesOf } from '../../base/files/readFile';
import type { Words } from '../../base/say';
import { count, flag, object, optional, ShapeError, text, words } from '../../base/shape';

export const logName = 'captious.images.jsonl';

/** An address with its file, or why there is none. */
export interface LogLine {
  url: string;
  /** The path in the folder, made from the hash of the content. */
  file?: string;
  bytes?: number;
  problem?: Words;
  /** Whether the next run asks again. */
  again?: boolean;
}

const lineShape = object({
  url: text,
  file: optional(text),
  bytes: optional(count),
  problem: optional(words),
  again: optional(flag),
});

/** Two digits of the content's hash are a folder, so that no folder has too many files. */
const fileForm = /^[0-9a-f]{2}\/[0-9a-f]{62}\.(?:jpg|png|gif|webp|tiff|avif)$/;

/** The last line of each address. Empty without a list; lines that an interruption cut are skipped. */
export async function readLog(folder: string): Promise<Map<string, LogLine>> {
  const known = new Map<string, LogLine>();
  const path = join(folder, logName);
  try {
    for await (const line of linesOf(chunksOf(path), path)) {
      const found = lineOf(line);
      if (found !== undefined) known.set(found.url, found);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return known;
}

function lineOf(line: string): LogLine | undefined {
  try {
    const found = lineShape(JSON.parse(line), '');
    return found.file === undefined || fileForm.test(found.file) ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}
