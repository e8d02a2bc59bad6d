import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CaptiousError, evaluatorError, throwIfCancelled, usageError } from '../../base/errors';
import { homeFolder } from '../../base/files/home';
import { findSaid, say, type Words } from '../../base/say';
import { openEvaluator, type OpenOptions } from '../../evaluator/open';
import { exportModel } from '../../evaluator/python/exportModel';
import { parseReference } from '../../evaluator/reference';
import type { Item } from '../../protocol/item';
import { dot, inNewFolder, samples, unitRowsOf } from './folders';
import { optimize, type Optimization } from './optimize';

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
  /** What `optimize` did, or why it could not. Undefined if it was not asked for. */
  optimization?: Optimization | Words;
}

/** Converts a model in Python to ONNX. The result is kept only if it agrees with the original. */
export async function convert(
  ref: string,
  { out, optimized = false, ...options }: OpenOptions & { out: string; optimized?: boolean },
): Promise<Conversion> {
  const { home = homeFolder(), allow, signal, python = {} } = options;
  const reference = parseReference(ref, { home });
  if (reference.type !== 'python')
    throw usageError(say('audit.notConvertible'), say('audit.nameConvertibleModel'), ref);
  return inNewFolder(out, async (draft) => {
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
    const done = { folder: resolve(out), length, ...compared };
    return optimized ? { ...done, optimization: await optimizeIn(draft, out, options) } : done;
  });
}

/** Replaces the folder by its optimized copy. Keeps it, and returns the reason, if there is nothing to optimize. */
async function optimizeIn(folder: string, out: string, options: OpenOptions): Promise<Optimization | Words> {
  const faster = `${folder}-faster`;
  try {
    const done = await optimize(folder, { ...options, out: faster });
    await rm(folder, { recursive: true });
    await rename(faster, folder);
    return { ...done, folder: resolve(out) };
  } catch (error) {
    const reason =
      error instanceof CaptiousError ? findSaid(error.what, 'audit.nothingToOptimize') : undefined;
    if (reason === undefined) throw error;
    return reason;
  } finally {
    await rm(faster, { recursive: true, force: true });
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

/** The items' embeddings, scaled to length 1. Closes the evaluator, so that only one model is in memory at a time. */
async function unitRows(ref: string, items: readonly Item[], options: OpenOptions): Promise<Float64Array[]> {
  const evaluator = await openEvaluator(ref, options);
  try {
    return await unitRowsOf(evaluator, items, options.signal);
  } finally {
    await evaluator.close();
  }
}

function furthest(one: Float64Array, other: Float64Array): number {
  if (one.length !== other.length) return Infinity;
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
}
