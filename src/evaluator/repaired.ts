import { createHash } from 'node:crypto';
import { sha256Of } from '../base/files/sha256';
import type { CaptiousError } from '../base/errors';
import { evaluatorError, wordsOf } from '../base/errors';
import * as z from 'zod/mini';
import type { Outcome } from '../base/outcome';
import { say, type Words } from '../base/say';
import type { Evaluator, EvaluatorPreview, Mapped } from './evaluator';
import type { FileIdentity, KindPreview } from './fileContext';
import { encoderRef, fittedFrom } from './fileFields';
import { applyMap, type LinearMap } from './linearMap';
import { readNpy } from './native/npy';
import { described } from '../base/schema';

export const repairedFile = z.object({
  encoder: encoderRef,
  encoderSha256: described(
    z.string(),
    'Hash of the encoder that the maps were fitted to; they do not fit any other.',
  ),
  text: described(z.string(), 'The map for texts: a square .npy matrix that multiplies embeddings.'),
  image: described(z.string(), 'The map for images: a square .npy matrix that multiplies embeddings.'),
  fitted: fittedFrom,
});
export type RepairedFile = z.infer<typeof repairedFile>;

type Context = Pick<FileIdentity, 'id' | 'name' | 'path' | 'place' | 'wrong'>;

/**
 * Opens an encoder that multiplies the text embeddings of `inner` by one matrix, and its image embeddings by
 * another. The store keeps the embeddings of `inner`.
 */
export function openRepaired(inner: Evaluator, said: RepairedFile, context: Context): Evaluator {
  const { info } = inner;
  return repaired(inner, mapsOf(said, info, context), { ...context, fitted: said.fitted });
}

export function previewRepaired(inner: EvaluatorPreview, said: RepairedFile, context: Context): KindPreview {
  const maps = mapsOf(said, inner, context);
  const { id, name, path } = context;
  if (!inner.sharedSpace) throw noSharedSpace(inner, path);
  const { scores, remote, sha256, python } = inner;
  return {
    name: nameOf({ id, name }, inner.name),
    scores,
    remote,
    sharedSpace: true,
    ...(python && { python }),
    ...(sha256 === undefined ? {} : { sha256: repairedSha256(sha256, maps) }),
  };
}

function mapsOf(
  { encoder, encoderSha256, text, image }: RepairedFile,
  inner: Pick<EvaluatorPreview, 'sha256' | 'dimension'>,
  context: Context,
): Maps {
  if (inner.sha256 !== undefined && inner.sha256 !== encoderSha256)
    throw context.wrong(
      'encoderSha256',
      say('evaluator.repairEncoderChanged', encoder, inner.sha256),
      say('evaluator.restoreEncoderOrRepair'),
    );
  return { text: readMap('text', text, inner, context), image: readMap('image', image, inner, context) };
}

interface Maps {
  text: LinearMap;
  image: LinearMap;
}

function nameOf({ id, name }: { id: string; name: string }, encoder: string): string {
  return name === id ? `${id} (${encoder}, repaired)` : name;
}

function repairedSha256(encoder: string, { text, image }: Maps): string {
  return sha256Of(['repaired', 1, encoder, hashOf(text), hashOf(image)]);
}

function noSharedSpace({ name, path }: { name: string; path?: string }, at = path): CaptiousError {
  return evaluatorError(say('evaluator.noSharedSpace', name), say('evaluator.repairUseDualEncoder'), at);
}

/** Makes an evaluator that applies the maps to the embeddings of `inner`. */
export function repaired(
  inner: Evaluator,
  maps: Maps,
  { id, name, path, fitted }: { id: string; name: string; path?: string; fitted?: Words },
): Evaluator {
  const { info, measureTexts, embedTexts, embedImages } = inner;
  if (embedTexts === undefined || embedImages === undefined || !info.scores.includes('image-text'))
    throw noSharedSpace(info, path);
  const [textSha256, imageSha256] = [hashOf(maps.text), hashOf(maps.image)];
  const mapped: Mapped = {
    inner,
    text: (row) => applyMap(maps.text, row),
    image: (row) => applyMap(maps.image, row),
  };
  return {
    info: {
      ...info,
      id,
      name: nameOf({ id, name }, info.name),
      ...(path === undefined ? {} : { path }),
      sha256: repairedSha256(info.sha256, maps),
      textKey: sha256Of(['repaired', 1, info.textKey, textSha256]),
      imageKey: sha256Of(['repaired', 1, info.imageKey, imageSha256]),
      notes: [
        say('evaluator.repairedEmbeddings', info.name),
        ...(fitted === undefined ? [] : [fitted]),
        ...info.notes,
      ],
    },
    mapped,
    ...(inner.parallel === undefined ? {} : { parallel: inner.parallel }),
    ...(inner.ahead === undefined ? {} : { ahead: inner.ahead }),
    ...(inner.consent === undefined ? {} : { consent: inner.consent }),
    measureTexts: measureTexts && ((texts, signal) => measureTexts.call(inner, texts, signal)),
    embedTexts: async (texts, signal) =>
      each(await embedTexts.call(inner, texts, signal), (row) => mapped.text(row)),
    embedImages: async (images, signal) =>
      each(await embedImages.call(inner, images, signal), (row) => mapped.image(row)),
    close: () => inner.close(),
  };
}

function each(
  outcomes: readonly Outcome<Float32Array>[],
  map: (row: Float32Array) => Float32Array,
): Outcome<Float32Array>[] {
  return outcomes.map((outcome) => (outcome.ok ? { ...outcome, value: map(outcome.value) } : outcome));
}

function readMap(
  key: 'text' | 'image',
  named: string,
  { dimension }: { dimension?: number },
  { place, wrong }: Context,
): LinearMap {
  const path = place(named);
  let table: ReturnType<typeof readNpy>;
  try {
    table = readNpy(path);
  } catch (error) {
    throw wrong(key, say('evaluator.repairMapUnreadable', path, wordsOf(error)));
  }
  const { rows, columns, values } = table;
  const expected = dimension ?? rows;
  if (rows !== expected || columns !== expected)
    throw wrong(key, say('evaluator.repairMapShapeWrong', path, rows, columns, expected, expected));
  if (!values.every(Number.isFinite)) throw wrong(key, say('evaluator.repairMapNotFinite', path));
  return { dimension: rows, values };
}

function hashOf({ dimension, values }: LinearMap): string {
  return createHash('sha256')
    .update(`${dimension}\n`)
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest('hex');
}
