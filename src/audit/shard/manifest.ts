import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Example } from '../../dataset/example';
import { inputError, messageOf, wordsOf } from '../../base/errors';
import { chunksOf, readBounded } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { parsed, wholeNumber, wordsSchema } from '../../base/schema';
import type { OptionValue, Probe } from '../../probe/probe';
import type { GalleryRun } from '../gallery';
import { contentHash } from '../resume/contentHash';
import { writeWhole } from '../../report/output';
import { evaluatorSchema, partlyFound, repeatSchema } from '../../report/reportShape';
import { sha256Of } from '../../base/files/sha256';

export const manifestName = 'shard.json';
/** The folder of a shard's embeddings, inside the shard's folder. */
export const storeName = 'store';

const mostManifest = 256 << 20;

/** The name of a file in the shard's folder or in its store. Rejects other paths. */
const ownFile = z.string().check(z.regex(/^(store\/)?[\w.+-]+$/), z.regex(/^(?!.*\.\.)/));

const keptFile = z.object({ file: ownFile, bytes: wholeNumber, sha256: z.string() });

const leftOut = z.object({
  reason: wordsSchema,
  count: wholeNumber,
  lines: z.array(z.union([wholeNumber, z.string()])),
  unscored: z.optional(z.literal(true)),
  numbers: z.array(wholeNumber),
});

/** The rows of one pair probe and evaluator. */
const part = z.object({
  /** A file whose lines are `[number of the example, row]`. */
  rows: keptFile,
  lines: wholeNumber,
  examples: wholeNumber,
  leftOut: z.array(leftOut),
  /** The answers to each example, for refusals: a file of lines `[number of the example, answers]`. */
  answers: keptFile,
  /** Keys of truncated texts, as `takeNewCuts` returns them. */
  cuts: z.array(z.string()),
  /** The scores of this shard's part of the mismatched pairs. Absent if the probe needs none. */
  spread: z.optional(z.array(z.object({ left: z.string(), right: z.string(), score: z.number() }))),
  partlyFound,
});

const probeResult = z.object({
  probe: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** A hash of the additional files that the probe read. */
  beside: z.optional(z.string()),
  /** The draws of the variants, decided by the whole dataset. */
  draws: z.optional(wholeNumber),
  defaultDraws: z.optional(z.literal(true)),
  /** One part for each evaluator. Absent for a gallery probe, which only stores embeddings. */
  parts: z.optional(z.array(part)),
});

const evaluator = z.object({
  /** The user's reference to the evaluator. */
  reference: z.string(),
  info: evaluatorSchema,
  /** The functions that the evaluator has. They are stored, so that a merge need not load the model. */
  can: z.object({
    measureTexts: z.boolean(),
    embedTexts: z.boolean(),
    embedImages: z.boolean(),
    scorePairs: z.boolean(),
  }),
  /** The batch sizes. Absent if they do not affect results. */
  fixedBatches: z.optional(z.object({ texts: wholeNumber, images: wholeNumber })),
  /** Whether ranking needs the evaluator itself. A merge of gallery probes then opens it. */
  open: z.boolean(),
  /** Whether scores depend on the bytes of images. Shards of earlier versions do not say so. */
  readsImages: z.optional(z.boolean()),
  /** A key and a reason for each failed item. */
  failures: z.array(z.tuple([z.string(), wordsSchema])),
  /** Files on which results depend although `info` does not cover them, with their hashes. */
  uncovered: z.optional(z.record(z.string(), z.string())),
  /** The test of the evaluator before the run, which the first shard makes. */
  repeat: repeatSchema,
});

const manifest = z.object({
  schema: z.literal('captious/shard@5'),
  shard: z.object({ index: wholeNumber, count: wholeNumber }),
  dataset: z.object({
    path: z.string(),
    /** In a shard of whole files, the hash of the names and numbers of rows of all files. */
    sha256: z.string(),
    format: z.string(),
    /** The hashes of the shard's files. Absent if the shard has examples of all files. */
    files: z.optional(z.array(z.string())),
  }),
  images: z.array(z.string()),
  /** The list of images with their hashes. Absent if no evaluator reads images. */
  imageList: z.optional(keptFile),
  /** The ids of a shard of whole files, which files of other shards may repeat. */
  ids: z.optional(keptFile),
  map: z.optional(z.record(z.string(), z.string())),
  seed: wholeNumber,
  limit: z.optional(wholeNumber),
  versions: z.record(z.string(), z.string()),
  evaluators: z.array(evaluator),
  probes: z.array(probeResult),
  store: z.array(keptFile),
});
const manifestFile = z.object({ sha256: z.string(), manifest: z.unknown() });

export type Manifest = z.infer<typeof manifest>;
export type Part = z.infer<typeof part>;
export type KeptFile = z.infer<typeof keptFile>;

/** Writes a shard's manifest. The caller does this last, because the manifest marks the shard as complete. */
export async function writeManifest(folder: string, value: Manifest): Promise<void> {
  const file = { sha256: sha256Of(value), manifest: value };
  await writeWhole(join(folder, manifestName), `${JSON.stringify(file)}\n`);
}

/** Reads a shard's manifest. Returns undefined if the file is missing; throws if it is damaged. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, manifestName);
  const bytes = await readBounded(path, mostManifest).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  try {
    const file = parsed(manifestFile, parseJson(bytes, { bytes: mostManifest, parts: mostManifest / 8 }));
    if (sha256Of(file.manifest) !== file.sha256) throw new Error('its checksum differs');
    parsed(manifest, file.manifest);
    // The result of `parsed` is not used, because it would change the order of keys in reports.
    return file.manifest as Manifest;
  } catch (cause) {
    throw inputError(say('shard.damaged', wordsOf(cause)), say('shard.deleteAndRerun'), path, cause);
  }
}

/** The store's files with their checksums. Called after the store is closed. */
export async function storeFiles(folder: string): Promise<KeptFile[]> {
  const names = await readdir(join(folder, storeName)).catch((error: NodeJS.ErrnoException) => {
    // A shard without embeddings has no store.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files: KeptFile[] = [];
  for (const name of names.filter((one) => /\.(keys|values)$/.test(one)).sort())
    files.push(await keptFileAt(folder, `${storeName}/${name}`));
  return files;
}

/** How a file differs from its manifest entry; undefined for an intact file. */
export async function damageOf(folder: string, kept: KeptFile): Promise<string | undefined> {
  try {
    const { bytes, sha256 } = await keptFileAt(folder, kept.file, kept.bytes + 1);
    if (bytes !== kept.bytes) return `${kept.file} has ${bytes} bytes instead of ${kept.bytes}`;
    return sha256 === kept.sha256 ? undefined : `${kept.file} has another checksum`;
  } catch (error) {
    return `${kept.file} cannot be read (${messageOf(error)})`;
  }
}

/** A file's size and checksum, counting at most the first `most` bytes. */
export async function keptFileAt(folder: string, file: string, most = Infinity): Promise<KeptFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(join(folder, file), most)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { file, bytes, sha256: hash.digest('hex') };
}

/** The probe's context, and a hash of the additional files that the probe read. */
export async function contextOf(
  path: string,
  seed: number,
  options: Record<string, OptionValue>,
  probe: Probe,
  examples: () => AsyncIterable<Example>,
): Promise<{ context: Omit<GalleryRun['context'], 'scale'>; beside?: string }> {
  const dataset = basename(path, extname(path));
  const beside = await probe.prepare?.({ datasetPath: path, options, examples });
  const context = { dataset, seed, options, beside };
  const hash = contentHash(beside);
  return hash === undefined ? { context } : { context, beside: hash };
}
