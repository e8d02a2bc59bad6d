import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { evaluatorError, interruptedError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { sha256Of } from '../../base/files/sha256';
import { say } from '../../base/say';
import { placed } from '../../dataset/images/imagePlaces';
import type { Dataset, DatasetSlice } from '../../dataset/dataset';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import { datasetHash } from '../../dataset/parts/hash';
import { type Evaluator, uncoveredBy } from '../../evaluator/evaluator';
import { probeNamed, resolveOptions } from '../../probe/list';
import type { OptionValue, Probe } from '../../probe/probe';
import { askConsent } from '../consent';
import { defaultSeed, prepareFolder } from '../output/folder';
import type { DigestOf } from '../output/imageFold';
import { versions } from '../../base/files/versions';
import { ProgressMeter } from '../progress';
import type { AuditRequest } from '../request';
import { openOne } from '../evaluators/open';
import { usableByProbe } from '../evaluators/usable';
import { drawOf, runFolder } from '../run';
import { ImageDigests } from '../resume/imageDigests';
import { drawsFor } from '../scoring/drawCount';
import { Repeats } from '../spread/repeat';
import { Failures } from './failures';
import { differences, type Head, runName } from './identity';
import { contextOf, type Manifest, readManifest, storeFiles, writeManifest } from './manifest';
import { measureShard, type ShardJob } from './measure';
import { areSame, digestWith, readsImages, writeImages } from './imageList';
import { type Shard, ShardDataset, shardName } from './shard';
import { filesOf, identityOfFiles, withIds } from './split';

export interface ShardRequest extends AuditRequest {
  shard: Shard;
  /** Whether all examples of an image are in one shard, also in a dataset of several files. */
  byImage?: boolean;
}

export interface DoneShard {
  folder: string;
  manifest: Manifest;
}

/** Measures one shard of a dataset. `mergeShards` later reads the shard's folder. */
export async function runShard(request: ShardRequest): Promise<DoneShard> {
  const home = request.home ?? homeFolder();
  const path = resolve(request.dataset);
  const probes = [...new Set(request.probes)].map(probeNamed);
  for (const id of Object.keys(request.options ?? {})) probeNamed(id);
  const options = probes.map((probe) => resolveOptions(probe, request.options?.[probe.id] ?? {}));
  const fingerprints = new Fingerprints(storeFolder(home));
  const whole = await openDataset(path, { map: request.map, signal: request.signal });
  const files = filesOf(whole, probes, request);
  const identify = () => identityOf(path, files, fingerprints, request.signal);
  const identity = await identify();
  const { shard, seed = defaultSeed, limit } = request;
  const references = [...new Set(request.evaluators)];
  const evaluators: Evaluator[] = [];
  try {
    for (const reference of references) evaluators.push(await openOne(reference, home, request));
    for (const { info, consent } of evaluators) await askConsent(request, consent, info.scores);
    evaluators.forEach(requireStableKeys);
    const byProbe = new Map(probes.map((probe, i) => [probe, options[i]]));
    await usableByProbe(byProbe, evaluators, { ...request, dataset: whole }, (_probe, _evaluator, error) => {
      throw error;
    });
    const failures = new Map(evaluators.map((evaluator) => [evaluator, new Failures()]));
    const { signal, images: folders = [] } = request;
    const digests = new ImageDigests(fingerprints);
    const digestOf = digestWith(createImageFinder({ dataset: whole, folders, signal }), digests, signal);
    const data = { path, ...identity, format: whole.format };
    const begun = headOf(request, data, seed, references, evaluators);
    const head = {
      ...begun,
      probes: await withBeside(probes, options, { ...request, path, seed, whole }),
    };
    const folder = join(request.out ?? runFolder(home, path), runName(head));
    const before = await readManifest(folder).catch(() => undefined);
    if (before !== undefined && (await isCurrent(folder, before, head, digestOf))) {
      request.onEvent?.({ type: 'notice', message: `Shard ${shardName(shard)} is already complete.` });
      return { folder, manifest: before };
    }
    await prepareFolder(folder);
    const drawn = new Set<string>();
    const repeats = repeatsFor(request, whole, drawn);
    const chosen = new ShardDataset(whole, shard, limit ?? Infinity);
    const job: ShardJob = {
      request,
      folder,
      path,
      sha256: sha256Of(identity),
      seed,
      shard,
      whole,
      dataset: files ?? chosen,
      // Rows of whole files are in the order of their shards.
      numberOf: files === undefined ? (example) => chosen.numberOf(example) : () => shard.index,
      hasWholeFiles: files !== undefined,
      evaluators,
      failures,
      repeats,
      meter: new ProgressMeter(0, limit),
      digests,
      drawn,
    };
    const results: Manifest['probes'] = [];
    for (const [i, probe] of probes.entries())
      results.push({ ...head.probes[i], ...(await measureShard(job, probe, options[i], head.probes[i])) });
    const lists = await listsOf(job, files, digestOf);
    requireSame(identity, await identify(), path);
    const manifest: Manifest = {
      ...begun,
      ...lists,
      evaluators: begun.evaluators.map((entry, i) => ({ ...entry, ...foundOf(job, evaluators[i]) })),
      probes: results,
      store: await storeFiles(folder),
    };
    await writeManifest(folder, manifest);
    return { folder, manifest };
  } finally {
    await Promise.allSettled([fingerprints.flush(), ...evaluators.map((evaluator) => evaluator.close())]);
  }
}

/** The hash of the dataset. A shard of whole files knows only those of its own. */
async function identityOf(
  path: string,
  files: DatasetSlice | undefined,
  fingerprints: Fingerprints,
  signal: AbortSignal,
): Promise<{ sha256: string; files?: string[] }> {
  if (files !== undefined) return identityOfFiles(files, fingerprints, signal);
  return { sha256: await datasetHash(path, fingerprints) };
}

/** What the run of a shard found out about an evaluator. */
function foundOf(
  { failures, repeats }: ShardJob,
  evaluator: Evaluator,
): Pick<Manifest['evaluators'][number], 'failures' | 'repeat' | 'uncovered'> {
  const repeat = repeats?.get(evaluator);
  return {
    failures: failures.get(evaluator)!.list(),
    ...uncoveredIn(evaluator),
    ...(repeat === undefined ? {} : { repeat }),
  };
}

/** The tests of the evaluators. Their pairs do not depend on the shard, so the first shard tests for all. */
function repeatsFor(request: ShardRequest, whole: Dataset, drawn: Set<string>): Repeats | undefined {
  if (request.shard.index !== 1 || request.spread === false) return undefined;
  return new Repeats(drawOf(request, whole), { batchSize: request.batchSize, drawn });
}

function headOf(
  request: ShardRequest,
  dataset: Manifest['dataset'],
  seed: number,
  references: readonly (string | Evaluator)[],
  evaluators: readonly Evaluator[],
): Omit<Manifest, 'probes' | 'store' | 'imageList' | 'ids'> {
  const { shard, map, limit } = request;
  return {
    schema: 'captious/shard@5',
    shard,
    dataset,
    images: (request.images ?? []).map((folder) => placed(folder)),
    ...(map === undefined ? {} : { map: { ...map } }),
    seed,
    ...(limit === undefined ? {} : { limit }),
    versions: versions(),
    evaluators: evaluators.map((evaluator, i) => ({
      reference: absoluteReference(references[i]),
      info: { ...evaluator.info },
      can: {
        measureTexts: evaluator.measureTexts !== undefined,
        embedTexts: evaluator.embedTexts !== undefined,
        embedImages: evaluator.embedImages !== undefined,
        scorePairs: evaluator.scorePairs !== undefined,
      },
      fixedBatches: evaluator.fixedBatches,
      open: needsItself(evaluator),
      readsImages: readsImages(evaluator),
      failures: [],
    })),
  };
}

function uncoveredIn(evaluator: Evaluator): Pick<Manifest['evaluators'][number], 'uncovered'> {
  const uncovered = uncoveredBy(evaluator);
  return Object.keys(uncovered).length === 0 ? {} : { uncovered: { ...uncovered } };
}

/** Whether a complete shard would have the same results now. Files that a key does not cover may have changed. */
async function isCurrent(folder: string, before: Manifest, head: Head, digestOf: DigestOf): Promise<boolean> {
  const isCovered = before.evaluators.every(({ uncovered }) => uncovered === undefined);
  const haveSameFiles = JSON.stringify(before.dataset.files) === JSON.stringify(head.dataset.files);
  if (!isCovered || !haveSameFiles || differences(before, head).length > 0) return false;
  return areSame({ folder, manifest: before }, digestOf);
}

/** Whether ranking needs the evaluator itself and not only stored embeddings. */
function needsItself({ kept, mapped, derived, knowsImage, lookUp, rerank, info }: Evaluator): boolean {
  const isWrapped = mapped !== undefined || derived !== undefined || rerank !== undefined;
  const isTable = kept === false || knowsImage !== undefined || lookUp !== undefined;
  return isWrapped || isTable || !['text-encoder', 'dual-encoder'].includes(info.kind);
}

/** The evaluator's reference. A path becomes absolute, because merging may run in another folder. */
function absoluteReference(reference: string | Evaluator): string {
  if (typeof reference !== 'string') return reference.info.id;
  return existsSync(reference) ? resolve(reference) : reference;
}

/**
 * Throws if an evaluator does not name its weight files. Its keys in the store then differ between runs, so a merge
 * could not combine its shards.
 */
function requireStableKeys({ kept, fixedBatches, info }: Evaluator): void {
  if (kept !== false || fixedBatches === undefined) return;
  throw evaluatorError(
    say('shard.weightFilesNotListed', info.name),
    say('shard.returnWeightFiles'),
    info.path,
  );
}

/** The lists of the shard's images and ids. */
async function listsOf(
  { request, folder, whole, shard, evaluators, drawn }: ShardJob,
  files: DatasetSlice | undefined,
  digestOf: DigestOf,
): Promise<Pick<Manifest, 'imageList' | 'ids'>> {
  const { signal, limit = Infinity } = request;
  const reads = evaluators.some(readsImages);
  const list = async (dataset: Pick<Dataset, 'read'>): Promise<Pick<Manifest, 'imageList'>> => {
    const job = { dataset, hasWholeFiles: files !== undefined, shard, limit, more: drawn, signal };
    return { imageList: await writeImages(folder, job, digestOf) };
  };
  if (files === undefined) return reads ? list(whole) : {};
  const read = async (dataset: Pick<Dataset, 'read'>): Promise<Pick<Manifest, 'imageList'>> => {
    for await (const example of dataset.read({ signal })) void example;
    return {};
  };
  const [lists, ids] = await withIds(folder, files, reads ? list : read);
  return { ...lists, ids };
}

function requireSame(before: object, after: object, path: string): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  throw interruptedError(say('audit.datasetChangedDuringAudit'), say('resume.runAuditAgain'), path);
}

/** The probes with their options and draws, and a hash of what each read of other files or examples. */
async function withBeside(
  probes: readonly Probe[],
  options: readonly Record<string, OptionValue>[],
  request: Pick<ShardJob, 'path' | 'seed' | 'whole'> & Pick<ShardRequest, 'draws' | 'limit' | 'signal'>,
) {
  const { path, seed, whole, signal } = request;
  return Promise.all(
    probes.map(async (probe, i) => {
      const examples = () => whole.read({ signal });
      const { beside } = await contextOf(path, seed, options[i], probe, examples);
      const draws = await drawsFor(probe, options[i], request, whole);
      return { probe: probe.id, options: options[i], beside, ...draws };
    }),
  );
}
