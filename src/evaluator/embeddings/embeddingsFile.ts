import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CaptiousError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { storeFolder } from '../../base/files/home';
import type { Outcome } from '../../base/outcome';
import { partlyTogether } from '../../dataset/images/partlyFound';
import { say, type Words } from '../../base/say';
import type { Evaluator } from '../evaluator';
import type { FileContext, FileKind, KindPreview, PreviewContext } from '../fileContext';
import { Lookup } from './lookup';
import { readTable, type Side, type Table } from './vectors';
import { optionalKey } from '../../base/schema';

/* An evaluator that looks up precomputed embeddings by caption or by image name. */

const vectors = 'a .npy, .npz or Parquet file, several of them, or a folder of numbered parts';
const ids = 'JSON, JSON Lines, CSV, Parquet, .npy, or a text file with one id per line';
const paths = z.union([z.string(), z.array(z.string()).check(z.minLength(1))]);

export const embeddingsFile = z.object({
  texts: optionalKey(paths, `Embeddings of texts: ${vectors}.`),
  textIds: optionalKey(paths, `Captions that identify the rows of "texts": ${ids}.`),
  images: optionalKey(paths, `Embeddings of images: ${vectors}.`),
  imageIds: optionalKey(paths, `Image names that identify the rows of "images": ${ids}.`),
  fallback: optionalKey(z.string(), 'Another evaluator file of this kind, used for missing embeddings.'),
});
export type EmbeddingsFile = z.infer<typeof embeddingsFile>;

export const madeElsewhere = 'made elsewhere';

export const embeddings: FileKind<EmbeddingsFile> = {
  schema: embeddingsFile,
  preview: (said, context) => previewEmbeddings(said, context),
  make: (said, context) => openEmbeddings(said, context),
};

async function previewEmbeddings(
  { images, fallback }: EmbeddingsFile,
  { name, preview }: PreviewContext,
): Promise<KindPreview> {
  const inner = fallback === undefined ? undefined : await preview(fallback);
  const sharedSpace = images !== undefined || inner?.sharedSpace === true;
  return { scores: sees(sharedSpace).scores, name, sharedSpace, remote: false };
}

function sees(images: boolean): Pick<Evaluator['info'], 'kind' | 'scores'> {
  return images
    ? { kind: 'dual-encoder', scores: ['text-text', 'image-text', 'image-image'] }
    : { kind: 'text-encoder', scores: ['text-text'] };
}

async function openEmbeddings(said: EmbeddingsFile, context: FileContext): Promise<Evaluator> {
  const { id, name, path } = context;
  if (said.texts === undefined && said.images === undefined)
    throw context.wrong('texts', say('embeddings.neitherSideGiven'), say('embeddings.setTextsOrImages'));
  const texts =
    said.texts === undefined ? undefined : await tableOf('text', said.texts, said.textIds, context);
  const images =
    said.images === undefined ? undefined : await tableOf('image', said.images, said.imageIds, context);
  const fallback = said.fallback === undefined ? undefined : await fallbackOf(said.fallback, context);
  const own = [texts, images].filter((side) => side !== undefined);
  const { dimension } = own[0].table.vectors;
  const widths = [
    ['images', images?.table.vectors.dimension],
    ['fallback', fallback?.info.dimension],
  ] as const;
  const [key, other] = widths.find(([, width]) => width !== undefined && width !== dimension) ?? [];
  if (key !== undefined && other !== undefined)
    throw context.wrong(
      key,
      say('embeddings.sidesDifferInLength', other, texts === undefined ? 'images' : 'texts', dimension),
      say('embeddings.useOneProjectedModel'),
    );
  const sha256 = await hashOf(said, [...own.flatMap(({ table }) => table.files)], fallback, context);
  const seesImages = images !== undefined || fallback?.embedImages !== undefined;
  return {
    info: {
      id,
      name,
      path,
      ...sees(seesImages),
      sha256,
      dimension,
      precision: [...new Set(own.map(({ table }) => table.vectors.type))].join(', '),
      provider: madeElsewhere,
      scale: { name: 'cosine' },
      prefix: '',
      notes: [...own.flatMap(({ notes }) => notes), ...(fallback?.info.notes ?? [])],
      textKey: sha256,
      ...(seesImages ? { imageKey: sha256 } : {}),
    },
    kept: false,
    knowsImage: (image) => images?.lookup.knows(image) === true || fallback?.knowsImage?.(image) === true,
    partlyKnown: partlyTogether([
      ...(images === undefined ? [] : [images.lookup.partly]),
      ...(fallback?.partlyKnown === undefined ? [] : [fallback.partlyKnown]),
    ]),
    embedTexts: (asked) =>
      answers(
        asked,
        (text) => texts?.lookup.text(text),
        (rest) => fallback?.embedTexts?.(rest),
        say('embeddings.noneForText'),
      ),
    ...(seesImages
      ? {
          embedImages: (asked) =>
            answers(
              asked,
              (image) => images?.lookup.image(image),
              (rest) => fallback?.embedImages?.(rest),
              say('embeddings.noneForImage'),
            ),
        }
      : {}),
    close: async () => fallback?.close(),
  };
}

/** Gets the embeddings of `asked` from `own`, and missing embeddings from the fallback `others`. */
async function answers<T>(
  asked: readonly T[],
  own: (item: T) => Outcome<Float32Array> | undefined,
  others: (rest: readonly T[]) => Promise<Outcome<Float32Array>[]> | undefined,
  none: Words,
): Promise<Outcome<Float32Array>[]> {
  const found = asked.map((item) => own(item) ?? { ok: false as const, problem: none });
  const missing = [...found.keys()].filter((at) => !found[at].ok);
  const more = (await others(missing.map((at) => asked[at]))) ?? [];
  for (const [i, outcome] of more.entries()) found[missing[i]] = outcome;
  return found;
}

async function fallbackOf(ref: string, { open, wrong }: FileContext): Promise<Evaluator> {
  const inner = await open(ref);
  if (inner.info.provider === madeElsewhere) return inner;
  await inner.close();
  throw wrong('fallback', say('embeddings.wrongEvaluatorKind'), say('embeddings.setEmbeddingsEvaluator'));
}

async function hashOf(
  said: EmbeddingsFile,
  files: readonly string[],
  fallback: Evaluator | undefined,
  { home }: FileContext,
): Promise<string> {
  const fingerprints = new Fingerprints(storeFolder(home));
  const hash = createHash('sha256').update(JSON.stringify(said));
  for (const file of files) hash.update(`\n${await fingerprints.sha256(file)}`);
  if (fallback !== undefined) hash.update(`\n${fallback.info.sha256}`);
  await fingerprints.flush();
  return hash.digest('hex');
}

async function tableOf(
  side: Side,
  given: string | readonly string[],
  givenIds: string | readonly string[] | undefined,
  { place, wrong, imageFolders }: FileContext,
): Promise<{ table: Table; lookup: Lookup; notes: Words[] }> {
  const all = (paths: string | readonly string[]): string[] =>
    (typeof paths === 'string' ? [paths] : paths).map(place);
  const table = await readTable(all(given), givenIds === undefined ? undefined : all(givenIds), side);
  const { vectors, ids, files } = table;
  if (ids === undefined)
    throw wrong(`${side}Ids`, say('embeddings.idsFieldMissing', side), say('embeddings.setIdsFile'));
  if (ids.length !== vectors.count)
    throw new CaptiousError('evaluator', say('embeddings.idCountDiffers', ids.length, vectors.count), {
      at: files.at(-1),
      remedy: say('embeddings.giveIdPerRow'),
    });
  const lookup = new Lookup(side, ids, vectors, side === 'image' ? await imageFolders?.() : undefined);
  return {
    table,
    lookup,
    notes: [
      say('embeddings.externalUnchanged', vectors.count, side, vectors.dimension, vectors.type),
      ...(lookup.repeated === 0
        ? []
        : [
            lookup.repeated === 1
              ? say('embeddings.repeatedIdSingle', side)
              : say('embeddings.repeatedIdSeveral', lookup.repeated, side),
          ]),
    ],
  };
}
