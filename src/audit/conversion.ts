import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../base/files/cannotWrite';
import { CaptiousError, evaluatorError, throwIfCancelled, usageError } from '../base/errors';
import { readBounded } from '../base/files/readFile';
import { homeFolder } from '../base/files/home';
import { installFolder } from '../base/install';
import { say } from '../base/say';
import { createBench } from '../bench/createBench';
import { openEvaluator, type OpenOptions } from '../evaluator/open';
import { exportModel } from '../evaluator/python/exportModel';
import { parseReference } from '../evaluator/reference';
import type { Item } from '../protocol/item';

/** The largest accepted difference in an embedding value or a cosine between original and converted model. */
export const mostApart = 1e-3;

export interface Conversion {
  folder: string;
  /** The fixed number of tokens per text; `free` for any number. */
  length: number | 'free';
  texts: number;
  images: number;
  /** The largest difference between the two models in any value of an embedding, and in any cosine. */
  apart: { embedding: number; cosine: number };
}

/** Texts that often reveal tokenizer errors: case, signs, digits, spaces, other alphabets, length. */
const hard = [
  "A PHOTO of 3 dogs' bowls: 12:30, $5 & 100%!",
  'a café — naïve “quotes”, œuvre, Straße, 東京, кот',
  '  two   spaces\tand a tab ',
  'a'.repeat(40),
  'a very long caption about a dog on a beach near a red boat, '.repeat(12),
];

/** Converts a model in Python to ONNX. The result is kept only if it agrees with the original. */
export async function convert(
  ref: string,
  { out, ...options }: OpenOptions & { out: string },
): Promise<Conversion> {
  const { home = homeFolder(), allow, signal, python = {} } = options;
  const reference = parseReference(ref, { home });
  if (reference.type !== 'python')
    throw usageError(say('audit.notConvertible'), say('audit.nameConvertibleModel'), ref);
  const folder = resolve(out);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw usageError(say('audit.outFolderNotEmpty'), say('audit.chooseOutFolder'), folder);
  await makeFolder(dirname(folder));
  // The draft is in the target's parent folder, because a rename works only within one file system.
  const draft = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const length = await exportModel(
      reference.said,
      draft,
      { ...python, file: reference.said.python },
      { home, allow, signal },
    );
    throwIfCancelled(signal);
    const compared = await compare([draft, ref], options);
    const { embedding, cosine } = compared.apart;
    // `!(… <= …)` instead of `>`, because NaN must also cause the error.
    if (!(Math.max(embedding, cosine) <= mostApart))
      throw evaluatorError(
        say('audit.conversionDiffers', embedding.toExponential(1), cosine.toExponential(1), mostApart),
        say('audit.auditOriginalModel'),
        ref,
      );
    await rm(folder, { recursive: true, force: true });
    // Temporary folders are readable only by their owner, so this sets the usual mode.
    await chmod(draft, 0o755);
    await rename(draft, folder);
    return { folder, length, ...compared };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function compare(
  refs: readonly [string, string],
  options: OpenOptions,
): Promise<Pick<Conversion, 'texts' | 'images' | 'apart'>> {
  const { texts, images } = await samples();
  const items = [...texts, ...images];
  const converted = await unitRows(refs[0], items, options);
  const original = await unitRows(refs[1], items, options);
  let [embedding, cosine] = [0, 0];
  items.forEach((_, i) => (embedding = Math.max(embedding, furthest(converted[i], original[i]))));
  for (let t = 0; t < texts.length; t++)
    for (let i = texts.length; i < items.length; i++)
      cosine = Math.max(cosine, Math.abs(dot(converted[t], converted[i]) - dot(original[t], original[i])));
  return { texts: texts.length, images: images.length, apart: { embedding, cosine } };
}

async function samples(): Promise<{ texts: Item[]; images: Item[] }> {
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

/** The items' embeddings, scaled to length 1. Closes the evaluator, so that only one model is in memory at a time. */
async function unitRows(ref: string, items: readonly Item[], options: OpenOptions): Promise<Float64Array[]> {
  const evaluator = await openEvaluator(ref, options);
  const bench = createBench();
  try {
    const rows = await bench.embeddings(evaluator, items, options.signal);
    return rows.map((row) => {
      if (!row.ok) throw new CaptiousError('evaluator', row.problem, { at: evaluator.info.path ?? ref });
      const norm = Math.sqrt(row.value.reduce((sum, value) => sum + value * value, 0));
      return Float64Array.from(row.value, (value) => value / norm);
    });
  } finally {
    await bench.close();
    await evaluator.close();
  }
}

function furthest(one: Float64Array, other: Float64Array): number {
  if (one.length !== other.length) return Infinity;
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
}

function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, i) => sum + value * other[i], 0);
}
