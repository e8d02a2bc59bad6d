import { archived } from '../base/files/archived';
import { listed, Tally } from '../base/text/tally';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type CaptiousError, inputError, wordsOf } from '../base/errors';
import { fileName } from '../base/files/fileName';
import { Fingerprints } from '../base/files/fingerprints';
import { chunksOf, linesOf } from '../base/files/readFile';
import { readJson } from '../base/files/readJson';
import { choice, count, list, object, optional, record, type Shaped, text } from '../base/shape';
import { say, type Words } from '../base/say';
import { placed } from '../dataset/images/imagePlaces';
import { datasetHash } from '../dataset/parts/hash';
import { type Item, type Want, wantKind, type WantKind } from '../protocol/item';
import { OutputFile, whileNaming, writeWhole } from '../report/output';
import { noExamples } from './exclusions';
import { defaultSeed, prepareFolder } from './output/folder';
import { ImageFiles } from './imageFiles';
import { distinctWants, pairProbe, type VariantsRequest } from './scoring/distinctWants';
import { withMismatched } from './spread/wants';

export const variantsSchema = 'captious/variants@1';

/** The file that describes how variants were made. The command that reads their scores needs this file. */
const manifestShape = object({
  schema: choice(variantsSchema),
  probe: text,
  dataset: object({ path: text, sha256: text }),
  images: list(text),
  kinds: list(choice('text-text', 'image-text', 'image-image')),
  /** The user's options, without defaults. */
  options: record(text),
  map: optional(record(text)),
  seed: count,
  /** Absent if the user named no number of draws. */
  draws: optional(count),
  limit: optional(count),
  /** The pairs file's path relative to the manifest. */
  pairs: text,
  pairCount: count,
});
export type VariantsManifest = Shaped<typeof manifestShape>;

function noPairs(
  probe: string,
  path: string,
  kinds: readonly WantKind[],
  examples: number,
  leftOut: Tally,
): CaptiousError {
  if (examples === 0) return noExamples(path);
  return inputError(
    leftOut.list.length === 0
      ? say('audit.noPairsOfKind', probe, kinds.join(', '))
      : say('audit.noPairsWithReasons', probe, kinds.join(', '), listed(leftOut.list)),
    say('audit.chooseOtherPairs'),
    path,
  );
}

/** Writes every distinct pair that a probe needs, for other programs to score. */
export async function writeVariants(
  request: VariantsRequest,
): Promise<{ path: string; manifest: VariantsManifest; imagesWritten?: number; problems?: Words[] }> {
  const probe = pairProbe(request.probe);
  const path = resolve(request.dataset);
  const stem = basename(path, extname(path));
  await prepareFolder(request.out);
  const wished = `${probe.id}.${fileName(stem)}`;
  const images = request.writeImages === true ? new ImageFiles(request.out) : undefined;
  const file = await OutputFile.create(join(request.out, `${wished}.pairs.jsonl`));
  let pairCount = 0;
  let examples = 0;
  const leftOut = new Tally();
  const onExample = (reason: Words | undefined): void => {
    examples++;
    if (reason !== undefined) leftOut.add(reason);
  };
  try {
    for await (const { key, want } of withMismatched(distinctWants(request, {}, onExample), probe, request)) {
      const files = images && [await fileOf(want.left), await fileOf(want.right)];
      await file.line(describe(key, want, files));
      pairCount++;
    }
    if (pairCount === 0) throw noPairs(probe.id, path, request.kinds, examples, leftOut);
    await images?.flush(request.signal);
    await file.seal();
  } catch (error) {
    await file.discard();
    throw error;
  } finally {
    await images?.close();
  }
  const unnamed: VariantsManifest = {
    schema: variantsSchema,
    probe: probe.id,
    dataset: { path, sha256: await datasetHash(path, new Fingerprints(undefined)) },
    images: (request.images ?? []).map((folder) => placed(folder)),
    kinds: [...request.kinds],
    options: { ...request.options },
    ...(request.map === undefined ? {} : { map: request.map as Record<string, string> }),
    seed: request.seed ?? defaultSeed,
    ...(request.draws === undefined ? {} : { draws: request.draws }),
    ...(request.limit === undefined ? {} : { limit: request.limit }),
    pairs: '',
    pairCount,
  };
  const { written: imagesWritten, problems } = images ?? {};
  return { ...(await named(unnamed)), ...(images && { imagesWritten, problems }) };

  function named(unnamed: VariantsManifest): Promise<{ path: string; manifest: VariantsManifest }> {
    return whileNaming(request.out, async () => {
      const name = await freeName(request.out, wished, path);
      const manifest = { ...unnamed, pairs: `${name}.pairs.jsonl` };
      const at = join(request.out, `${name}.variants.json`);
      await file.finish(join(request.out, manifest.pairs));
      await writeWhole(at, `${JSON.stringify(manifest, null, 1)}\n`);
      return { path: at, manifest };
    });
  }

  async function fileOf(item: Item): Promise<string | undefined> {
    return item.kind === 'image' ? images?.add(item, request.signal) : undefined;
  }
}

/** A file name that another dataset's variants do not use. */
async function freeName(folder: string, name: string, dataset: string): Promise<string> {
  const there = await readManifest(join(folder, `${name}.variants.json`)).catch(() => undefined);
  if (there === undefined || there.dataset.path === dataset) return name;
  return `${name}-${createHash('sha256').update(dataset).digest('hex').slice(0, 8)}`;
}

function describe(key: string, want: Want, files: readonly (string | undefined)[] = []): object {
  return { key, kind: wantKind(want), left: side(want.left, files[0]), right: side(want.right, files[1]) };
}

function side(item: Item, file: string | undefined): object {
  if (item.kind === 'text')
    return { text: item.text, ...(item.injection === undefined ? {} : { injection: item.injection }) };
  const { source, transforms } = item;
  // Other programs cannot read a path into an archive.
  const path = 'path' in source && archived(source.path) === undefined ? { path: source.path } : {};
  return { image: source.name, ...path, transforms, ...(file === undefined ? {} : { file }) };
}

export async function readManifest(path: string): Promise<VariantsManifest> {
  try {
    return manifestShape(await readJson(path), '');
  } catch (cause) {
    throw inputError(
      say('audit.notVariantsFile', wordsOf(cause)),
      say('audit.chooseVariantsFile'),
      path,
      cause,
    );
  }
}

/** Throws if a pair has no score: a subset has another metric. Returns the keys of scores without a pair. */
export async function requireAll(
  path: string,
  manifest: VariantsManifest,
  scores: ReadonlyMap<string, number>,
): Promise<string[]> {
  const pairs = join(dirname(path), basename(manifest.pairs));
  if (!(await stat(pairs).catch(() => undefined))?.isFile())
    throw inputError(say('audit.variantPairsMissing'), say('audit.keepPairsBesideVariants'), pairs);
  const missing: string[] = [];
  const unknown = new Set(scores.keys());
  let [count, number] = [0, 0];
  for await (const line of linesOf(chunksOf(pairs), pairs)) {
    number++;
    if (line === '') continue;
    const key = keyOf(line);
    if (key === undefined)
      throw inputError(say('audit.lineNotPair'), say('audit.rewriteVariants'), `${pairs}:${number}`);
    unknown.delete(key);
    if (!scores.has(key) && count++ < 5) missing.push(key);
  }
  const first = missing.join(', ');
  if (count > 0)
    throw inputError(
      say('audit.pairsWithoutScore', count, manifest.pairCount, first),
      say('audit.addMissingScores'),
      pairs,
    );
  return [...unknown];
}

function keyOf(line: string): string | undefined {
  try {
    return object({ key: text })(JSON.parse(line), '').key;
  } catch {
    return undefined;
  }
}
