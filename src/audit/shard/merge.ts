import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { append } from '../../base/lists';
import { type CaptiousError, inputError, throwIfCancelled, untilCancelled } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Bench } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import type { Example } from '../../dataset/example';
import { joinPartly } from '../../dataset/images/partlyFound';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import { datasetHash } from '../../dataset/parts/hash';
import type { Evaluator } from '../../evaluator/evaluator';
import { probeNamed } from '../../probe/list';
import type { Row } from '../../probe/metric';
import type { PairProbe } from '../../probe/probe';
import type { Answers } from '../../probe/refused/answers';
import { AnswerCounts } from '../../probe/refused/counts';
import { OutputFile } from '../../report/output';
import { Exclusions } from '../exclusions';
import { prepareFolder } from '../output/folder';
import { foldImages, type ImageFold } from '../output/imageFold';
import { evaluatorNames } from '../output/reportName';
import { writeReport } from '../output/writeReport';
import { runProbe } from '../probeRun';
import { ProgressMeter } from '../progress';
import { ImageDigests } from '../resume/imageDigests';
import type { AuditRequest } from '../request';
import { collectShards, type ShardSet } from './collect';
import { contextOf, storeName } from './manifest';
import type { MergeRequest } from './mergeRequest';
import { digestWith, firstDifferent, imagesInAll } from './imageList';
import { inOrder, ShardRows } from './rowsReader';
import { wholeHash } from './split';
import { recalledEvaluator } from './recalled';
import { seedsOf } from '../scoring/drawCount';
import { summaryOfDraws } from '../scoring/draws';
import { type Repeat, Repeats } from '../spread/repeat';
import { kindOfPairs, spreadFrom } from '../spread/spread';
import type { WrittenReport } from '../output/writtenReport';

interface MergeJob {
  request: MergeRequest;
  bench: Bench;
  onEvent: NonNullable<AuditRequest['onEvent']>;
  fingerprints: Fingerprints;
  digests: ImageDigests;
  folds: Map<ShardSet, ImageFold | undefined>;
}

/** Rows between two checks for cancellation. */
const rowsPerTurn = 4096;

/** Merges shards into the reports that a single run would write. */
export async function mergeShards(request: MergeRequest): Promise<WrittenReport[]> {
  const sets = await collectShards(request.folders);
  const home = request.home ?? homeFolder();
  await prepareFolder(request.out);
  const onEvent = request.onEvent ?? (() => undefined);
  const ranked = sets.filter(({ first }) => first.probes.some(({ parts }) => parts === undefined));
  const fingerprints = new Fingerprints(storeFolder(home));
  const digests = new ImageDigests(fingerprints);
  const bench = createBench({
    store: storeFolder(home),
    digests,
    stores: ranked.flatMap(({ shards }) => shards.map(({ folder }) => join(folder, storeName))),
    onWarning: (message) => onEvent({ type: 'notice', message }),
  });
  const evaluators = new Map<string, Evaluator>();
  try {
    for (const { info } of sets.flatMap(({ first }) => first.evaluators)) {
      const key = JSON.stringify(info);
      if (!evaluators.has(key)) evaluators.set(key, await recalledEvaluator(sets, key, request, home));
    }
    noteBatches(sets, onEvent);
    const names = evaluatorNames([...evaluators.values()]);
    const nameOf = new Map([...evaluators.values()].map((evaluator, i) => [evaluator, names[i]]));
    const job: MergeJob = { request, bench, onEvent, fingerprints, digests, folds: new Map() };
    const written: WrittenReport[] = [];
    for (const id of new Set(sets.flatMap(({ first }) => first.probes.map(({ probe }) => probe)))) {
      for (const set of sets) {
        if (!set.first.probes.some(({ probe }) => probe === id)) continue;
        const own = set.first.evaluators.map(({ info }) => evaluators.get(JSON.stringify(info))!);
        append(written, await mergeProbe(job, set, id, own, nameOf));
      }
    }
    return written;
  } finally {
    await bench.close();
    const all = [...evaluators.values()].map((evaluator) => evaluator.close());
    await Promise.allSettled([fingerprints.flush(), ...all]);
  }
}

/** Reports evaluators whose batches in shards differ from a single run's: last digits may differ, too. */
function noteBatches(sets: readonly ShardSet[], onEvent: MergeJob['onEvent']): void {
  for (const { first } of sets) {
    if (first.shard.count === 1) continue;
    for (const { info, fixedBatches = { texts: 1, images: 1 } } of first.evaluators)
      if (Math.max(fixedBatches.texts, fixedBatches.images) > 1)
        onEvent({
          type: 'notice',
          message: `${info.name} computes in batches, and ${first.shard.count} shards have other batches than a single run. The last digits of scores may differ. For identical scores, run the shards and the single run with --batch 1.`,
        });
  }
}

async function mergeProbe(
  job: MergeJob,
  set: ShardSet,
  id: string,
  evaluators: readonly Evaluator[],
  nameOf: ReadonlyMap<Evaluator, string>,
): Promise<WrittenReport[]> {
  const probe = probeNamed(id);
  job.onEvent({
    type: 'started',
    probe: id,
    evaluators: evaluators.map(({ info }) => info.id),
    format: set.first.dataset.format,
  });
  const written: WrittenReport[] = [];
  if (probe.mode === 'gallery') {
    append(written, await rankAll(job, set, id, evaluators));
  } else {
    for (const [i, evaluator] of evaluators.entries())
      written.push(await mergePairs(job, set, probe, i, evaluators, nameOf.get(evaluator)!));
  }
  for (const report of written) job.onEvent({ type: 'report', ...report });
  return written;
}

/** Writes the report of one evaluator from all shards' rows, in the dataset's order. */
async function mergePairs(
  job: MergeJob,
  set: ShardSet,
  probe: PairProbe,
  index: number,
  evaluators: readonly Evaluator[],
  name: string,
): Promise<WrittenReport> {
  const { request, bench, onEvent } = job;
  const { first, shards } = set;
  const { out, signal } = request;
  const evaluator = evaluators[index];
  const { seed, limit, map } = first;
  const sha256 = wholeHash(shards)!;
  const dataset = { ...first.dataset, ...(map?.cluster === undefined ? {} : { cluster: map.cluster }) };
  const results = shards.map(({ folder, manifest }) => ({
    folder,
    part: manifest.probes.find((result) => result.probe === probe.id)!.parts![index],
  }));
  const { options, beside, draws, defaultDraws } = first.probes.find((result) => result.probe === probe.id)!;
  async function* examples(): AsyncGenerator<Example> {
    yield* (await openDataset(dataset.path, { map, signal })).read({ signal });
  }
  const { context, beside: own } = await contextOf(dataset.path, seed, options, probe, examples);
  if (beside !== own) throw otherBeside(dataset.path);
  const summary = summaryOfDraws(probe, context, evaluator.info, seedsOf({ draws }, seed));
  const exclusions = new Exclusions();
  exclusions.addShards(results.map(({ part }) => part.leftOut));
  const answers = new AnswerCounts();
  const answered = await Promise.all(
    results.map(({ folder, part }) => ShardRows.open(join(folder, part.answers.file), part.answers.bytes)),
  );
  for await (const json of untilCancelled(inOrder(answered), signal))
    answers.add(JSON.parse(json.toString()) as Answers);
  bench.forgetCuts(evaluator);
  for (const { part } of results) for (const cut of part.cuts) bench.recallCuts(evaluator, cut);
  const scored = results.flatMap(({ part }) => part.spread ?? []);
  const hasSpread = results.some(({ part }) => part.spread !== undefined);
  const rows = await OutputFile.create(join(out, `${probe.id}.${name}.rows.jsonl`));
  try {
    const readers: ShardRows[] = [];
    for (const { folder, part } of results)
      readers.push(await ShardRows.open(join(folder, part.rows.file), part.rows.bytes));
    const total = results.reduce((sum, { part }) => sum + part.lines, 0);
    for await (const json of inOrder(readers)) {
      const text = json.toString();
      summary.add(JSON.parse(text) as Row);
      await rows.json(text);
      if (rows.lines % rowsPerTurn > 0) continue;
      const progress = {
        fraction: rows.lines / total,
        examples: rows.lines,
        asked: 0,
        done: 0,
        fromStore: 0,
      };
      onEvent({ type: 'progress', probe: probe.id, progress });
      await turn();
      throwIfCancelled(signal);
    }
    const partly = joinPartly(results.map(({ part }) => part.partlyFound));
    const examples = results.reduce((sum, { part }) => sum + part.examples, 0);
    const images = await imagesOf(job, set, index);
    return await writeReport(
      { probe, options, dataset, bench, out, draws, defaultDraws, limit, partly, images, onEvent },
      name,
      { evaluator, rows, exclusions, examples },
      await inTurns(answers.addTo(await inTurns(summary.finish(), signal)), signal),
      sha256,
      seed,
      {
        ...(hasSpread ? { spread: spreadFrom(kindOfPairs(evaluator.info), scored) } : {}),
        repeat: repeatIn(shards, index),
      },
    );
  } catch (error) {
    await rows.discard();
    throw error;
  }
}

function otherBeside(at: string): CaptiousError {
  return inputError(say('shard.sideFilesDiffer'), say('shard.restoreSideFiles'), at);
}

/** The images that the shards used, which a merge need not have. */
async function imagesOf(
  { folds }: MergeJob,
  set: ShardSet,
  evaluator: number,
): Promise<ImageFold | undefined> {
  const { shards } = set;
  if (!shards.every(({ manifest }) => manifest.evaluators[evaluator].readsImages)) return undefined;
  if (!folds.has(set)) folds.set(set, await foldImages(imagesInAll(shards)));
  return folds.get(set);
}

/** The test of an evaluator, which one of the shards made. */
function repeatIn(shards: ShardSet['shards'], evaluator: number): Repeat | undefined {
  return shards.map(({ manifest }) => manifest.evaluators[evaluator].repeat).find((one) => one !== undefined);
}

/** Runs a gallery probe as usual. The bench reads the embeddings from the shards' stores. */
async function rankAll(
  job: MergeJob,
  set: ShardSet,
  id: string,
  evaluators: readonly Evaluator[],
): Promise<WrittenReport[]> {
  const { request, bench, onEvent, fingerprints, digests } = job;
  const { first, shards } = set;
  const { dataset, map, seed, limit, images } = first;
  const found = await openDataset(dataset.path, { map, signal: request.signal });
  if ((await datasetHash(dataset.path, fingerprints)) !== dataset.sha256)
    throw inputError(say('shard.datasetDiffers'), say('shard.restoreDataset'), dataset.path);
  const finder = createImageFinder({ dataset: found, folders: images, signal: request.signal });
  const other = await firstDifferent(shards, digestWith(finder, digests, request.signal));
  if (other !== undefined)
    throw inputError(say('shard.imageDiffers', other.name), say('shard.restoreImage'), other.folders[1]);
  const repeats = new Repeats();
  for (const [i, evaluator] of evaluators.entries()) repeats.recall(evaluator, repeatIn(shards, i));
  const meter = new ProgressMeter(0, limit);
  meter.start((progress) => onEvent({ type: 'progress', probe: id, progress }));
  const drafts = await runProbe(
    {
      request: {
        ...request,
        dataset: dataset.path,
        probes: [id],
        evaluators,
        images,
        limit,
        seed,
        map,
      },
      probe: probeNamed(id),
      options: first.probes.find((result) => result.probe === id)!.options,
      dataset: found,
      evaluators,
      bench,
      out: request.out,
      meter,
      onEvent,
      repeats,
      imagesOf: (evaluator) => imagesOf(job, set, evaluators.indexOf(evaluator)),
    },
    dataset.sha256,
  );
  const written: WrittenReport[] = [];
  for (const { finish } of drafts) written.push(await finish());
  await Promise.all(drafts.map(({ discard }) => discard()));
  return written;
}
