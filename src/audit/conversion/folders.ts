/** What a converted and an optimized folder share: how it is written, and what shows that it is the same model. */
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CaptiousError, usageError } from '../../base/errors';
import { makeFolder } from '../../base/files/cannotWrite';
import { readBounded } from '../../base/files/readFile';
import { installFolder } from '../../base/install';
import { say } from '../../base/say';
import { createBench } from '../../bench/createBench';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem, Item } from '../../protocol/item';

/** Texts that often reveal tokenizer errors: case, signs, digits, spaces, other alphabets, length. */
const hard = [
  "A PHOTO of 3 dogs' bowls: 12:30, $5 & 100%!",
  'a café — naïve “quotes”, œuvre, Straße, 東京, кот',
  '  two   spaces\tand a tab ',
  'a'.repeat(40),
  'a very long caption about a dog on a beach near a red boat, '.repeat(12),
];

/** Fills a new folder. If `fill` throws, nothing is left. */
export async function inNewFolder<T>(out: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const folder = resolve(out);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw usageError(say('audit.outFolderNotEmpty'), say('audit.chooseOutFolder'), folder);
  await makeFolder(dirname(folder));
  // The draft is in the target's parent folder, because a rename works only within one file system.
  const draft = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const filled = await fill(draft);
    await rm(folder, { recursive: true, force: true });
    // Temporary folders are readable only by their owner, so this sets the usual mode.
    await chmod(draft, 0o755);
    await rename(draft, folder);
    return filled;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The captions and images of the samples, and texts that are hard to tokenise. */
export async function samples(): Promise<{ texts: Item[]; images: ImageItem[] }> {
  const folder = join(installFolder(), 'samples');
  const lines = (await readBounded(join(folder, 'captions.jsonl'))).toString('utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { image: string; caption: string });
  const texts = new Set([...entries.map(({ caption }) => caption), ...hard]);
  const names = new Set(entries.map(({ image }) => image));
  return {
    texts: [...texts].map((text) => ({ kind: 'text', text })),
    images: [...names].map((name) => ({
      kind: 'image',
      source: { name, path: join(folder, 'images', name) },
      transforms: [],
    })),
  };
}

/** The items' embeddings, scaled to length 1, without a cache. */
export async function unitRowsOf(
  evaluator: Evaluator,
  items: readonly Item[],
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const bench = createBench();
  try {
    const rows = await bench.embeddings(evaluator, items, signal);
    return rows.map((row) => {
      if (!row.ok)
        throw new CaptiousError('evaluator', row.problem, { at: evaluator.info.path ?? evaluator.info.id });
      const norm = Math.sqrt(row.value.reduce((sum, value) => sum + value * value, 0));
      return Float64Array.from(row.value, (value) => value / norm);
    });
  } finally {
    await bench.close();
  }
}

export function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, i) => sum + value * other[i], 0);
}
