import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CaptiousError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { storeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import type { Evaluator } from '../evaluator';
import type { FileContext, FileKind, KindPreview, PreviewContext } from '../fileContext';
import { Lookup } from './lookup';
import { readTable, type Side, type Table } from './vectors';

/*
 * An evaluator whose embeddings were made elsewhere: it answers by captions and by names of images. What it was not given
 * is left out, with the reason.
 */

const vectors = 'a .npy, .npz or Parquet file, several of them, or a folder of numbered parts';
const ids = 'the ids of its rows: JSON, JSON Lines, CSV, Parquet, .npy, or one a line';
const paths = z.union([z.string(), z.array(z.string()).check(z.minLength(1))]);

export const embeddingsFile = z.object({
  texts: paths.check(z.describe(`Embeddings of texts: ${vectors}.`)),
  textIds: z.optional(paths.check(z.describe(`Which text each row is of: ${ids}.`))),
  images: z.optional(paths.check(z.describe(`Embeddings of images: ${vectors}.`))),
  imageIds: z.optional(paths.check(z.describe(`Which image each row is of: ${ids}.`))),
});
export type EmbeddingsFile = z.infer<typeof embeddingsFile>;

export const madeElsewhere = 'made elsewhere';

export const embeddings: FileKind<EmbeddingsFile> = {
  schema: embeddingsFile,
  preview: (said, context) => previewEmbeddings(said, context),
  make: (said, context) => openEmbeddings(said, context),
};

function previewEmbeddings(said: EmbeddingsFile, { name }: PreviewContext): KindPreview {
  return { scores: sees(said).scores, name, sharedSpace: said.images !== undefined, remote: false };
}

function sees({ images }: EmbeddingsFile): Pick<Evaluator['info'], 'kind' | 'scores'> {
  return images === undefined
    ? { kind: 'text-encoder', scores: ['text-text'] }
    : { kind: 'dual-encoder', scores: ['text-text', 'image-text', 'image-image'] };
}

async function openEmbeddings(said: EmbeddingsFile, context: FileContext): Promise<Evaluator> {
  const { id, name, path, home } = context;
  const texts = await tableOf('text', said.texts, said.textIds, context);
  const images =
    said.images === undefined ? undefined : await tableOf('image', said.images, said.imageIds, context);
  const { dimension } = texts.table.vectors;
  const other = images?.table.vectors.dimension;
  if (other !== undefined && other !== dimension)
    throw context.wrong(
      'images',
      `images have ${other} numbers and texts ${dimension}.`,
      'Give the embeddings of one model, after its projections.',
    );
  const both = [texts, ...(images === undefined ? [] : [images])];
  const files = both.flatMap(({ table }) => table.files);
  const fingerprints = new Fingerprints(storeFolder(home));
  const hash = createHash('sha256').update(JSON.stringify(said));
  for (const file of files) hash.update(`\n${await fingerprints.sha256(file)}`);
  await fingerprints.flush();
  const sha256 = hash.digest('hex');
  return {
    info: {
      id,
      name,
      path,
      ...sees(said),
      sha256,
      dimension,
      precision: [...new Set(both.map(({ table }) => table.vectors.type))].join(', '),
      provider: madeElsewhere,
      scale: { name: 'cosine' },
      prefix: '',
      notes: both.flatMap(({ notes }) => notes),
      textKey: sha256,
      ...(images === undefined ? {} : { imageKey: sha256 }),
    },
    kept: false,
    knowsImage: (image) => images?.lookup.knows(image) ?? false,
    embedTexts: (asked) => Promise.resolve(asked.map((text) => texts.lookup.text(text))),
    ...(images === undefined
      ? {}
      : { embedImages: (asked) => Promise.resolve(asked.map((image) => images.lookup.image(image))) }),
    close: () => Promise.resolve(),
  };
}

async function tableOf(
  side: Side,
  given: string | readonly string[],
  givenIds: string | readonly string[] | undefined,
  { place, wrong }: FileContext,
): Promise<{ table: Table; lookup: Lookup; notes: string[] }> {
  const all = (paths: string | readonly string[]): string[] =>
    (typeof paths === 'string' ? [paths] : paths).map(place);
  const table = await readTable(all(given), givenIds === undefined ? undefined : all(givenIds), side);
  const { vectors, ids, files } = table;
  if (ids === undefined)
    throw wrong(
      `${side}Ids`,
      `it is missing, and the embeddings of ${side}s come without ids.`,
      'Name a file with one id for each row: captions for texts, file names for images.',
    );
  if (ids.length !== vectors.count)
    throw new CaptiousError('evaluator', say`There are ${ids.length} ids for ${vectors.count} rows.`, {
      at: files.at(-1),
      remedy: say`Give one id for each row, in the order of the rows.`,
    });
  const lookup = new Lookup(side, ids, vectors);
  return {
    table,
    lookup,
    notes: [
      `Embeddings of ${vectors.count} ${side}s were made elsewhere (${vectors.dimension} numbers, ${vectors.type}) and are taken as they are.`,
      ...(lookup.repeated === 0
        ? []
        : [`${lookup.repeated} ids of ${side}s come more than once: the first row of each counts.`]),
    ],
  };
}
