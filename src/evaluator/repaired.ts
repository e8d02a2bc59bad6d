import { createHash } from 'node:crypto';
import { CaptiousError, messageOf } from '../base/errors';
import { optional, text } from '../base/shape';
import type { Outcome } from '../base/outcome';
import type { Evaluator, Mapped } from './evaluator';
import type { FileContext } from './fileKinds';
import { applyMap, type LinearMap } from './linearMap';
import { readNpy } from './native/npy';

export interface RepairedFile {
  encoder: string;
  /** Of the encoder the maps were fitted to: to another one they mean nothing. */
  encoderSha256: string;
  /** The maps, a square .npy table each: what an embedding is multiplied by. */
  text: string;
  image: string;
  /** Where the maps come from, in words. */
  fitted?: string;
}

export const repairedFields = {
  encoder: text,
  encoderSha256: text,
  text,
  image: text,
  fitted: optional(text),
};

/** An encoder with a linear map behind each tower. Its embeddings are the encoder's own, mapped. */
export async function openRepaired(
  inner: Evaluator,
  said: RepairedFile,
  context: Pick<FileContext, 'id' | 'name' | 'path' | 'place' | 'wrong'>,
): Promise<Evaluator> {
  try {
    if (inner.info.sha256 !== said.encoderSha256)
      throw context.wrong(
        'encoderSha256',
        `the maps were fitted to another encoder than what "${said.encoder}" is now (${inner.info.sha256}).`,
        'Put back the encoder as it was, or repair the new one.',
      );
    return repaired(
      inner,
      {
        text: readMap('text', said.text, inner, context),
        image: readMap('image', said.image, inner, context),
      },
      { ...context, fitted: said.fitted },
    );
  } catch (error) {
    await inner.close();
    throw error;
  }
}

/** `id`, `name` and `path` of the evaluator to be. */
export function repaired(
  inner: Evaluator,
  maps: { text: LinearMap; image: LinearMap },
  { id, name, path, fitted }: { id: string; name: string; path?: string; fitted?: string },
): Evaluator {
  const { info, measureTexts, embedTexts, embedImages } = inner;
  if (embedTexts === undefined || embedImages === undefined || !info.scores.includes('image-text'))
    throw new CaptiousError('evaluator', `${info.name} does not embed pictures and texts into one space.`, {
      at: path ?? info.path,
      remedy: 'A repair is a map of embeddings: name a dual encoder.',
    });
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
      name: name === id ? `${id} (${info.name}, repaired)` : name,
      ...(path === undefined ? {} : { path }),
      sha256: hash(['repaired', 1, info.sha256, textSha256, imageSha256]),
      textKey: hash(['repaired', 1, info.textKey, textSha256]),
      imageKey: hash(['repaired', 1, info.imageKey, imageSha256]),
      notes: [
        `Embeddings are those of ${info.name}, multiplied by a map of texts and one of pictures.`,
        ...(fitted === undefined ? [] : [fitted]),
        ...info.notes,
      ],
    },
    mapped,
    ...(inner.parallel === undefined ? {} : { parallel: inner.parallel }),
    ...(inner.consent === undefined ? {} : { consent: inner.consent }),
    measureTexts: measureTexts && ((texts) => measureTexts.call(inner, texts)),
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
  return outcomes.map((outcome) => (outcome.ok ? { ok: true, value: map(outcome.value) } : outcome));
}

function readMap(
  key: 'text' | 'image',
  named: string,
  { info }: Evaluator,
  { place, wrong }: Pick<FileContext, 'place' | 'wrong'>,
): LinearMap {
  const path = place(named);
  let table: ReturnType<typeof readNpy>;
  try {
    table = readNpy(path);
  } catch (error) {
    throw wrong(key, `the map ${path} cannot be read: ${messageOf(error)}.`);
  }
  const { rows, columns, values } = table;
  const expected = info.dimension ?? rows;
  if (rows !== expected || columns !== expected)
    throw wrong(key, `the map ${path} is ${rows} × ${columns} where ${expected} × ${expected} was expected.`);
  if (!values.every(Number.isFinite)) throw wrong(key, `the map ${path} holds what is no finite number.`);
  return { dimension: rows, values };
}

function hashOf({ dimension, values }: LinearMap): string {
  return createHash('sha256')
    .update(`${dimension}\n`)
    .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    .digest('hex');
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
