import { basename, dirname, join } from 'node:path';
import type { Bench } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import type { Dataset } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import { createImageFinder, type ImageFinder } from '../../dataset/images/images';
import { joinPartly } from '../../dataset/images/partlyFound';
import { type Evaluator, partlyFoundBy } from '../../evaluator/evaluator';
import { SeamMeter } from '../../evaluator/native/seamMeter';
import type { Row } from '../../probe/metric';
import type { GalleryProbe, OptionValue, PairProbe, Probe, Summary } from '../../probe/probe';
import { AnswerCounts } from '../../probe/refused/counts';
import { OutputFile } from '../../report/output';
import { Exclusions } from '../exclusions';
import { Voters } from '../evaluators/voters';
import { runGallery } from '../gallery';
import { evaluatorNames } from '../output/reportName';
import { PairStage } from '../pairStage';
import type { ProgressMeter } from '../progress';
import type { ImageDigests } from '../resume/imageDigests';
import type { AuditRequest } from '../request';
import { type Draws, seedsOf } from '../scoring/drawCount';
import type { Repeats } from '../spread/repeat';
import { needsSpread, pairsOf, scoreMismatched } from '../spread/spread';
import type { Failures } from './failures';
import { languageOfFile } from '../../perturb/text/fileLanguage';
import { contextOf, type KeptFile, keptFileAt, type Manifest, type Part, storeName } from './manifest';
import type { Shard } from './shard';
import type { EvaluatorRun } from '../scoring/pairRun';

export interface ShardJob {
  request: AuditRequest;
  folder: string;
  path: string;
  sha256: string;
  seed: number;
  shard: Shard;
  whole: Dataset;
  dataset: Dataset;
  /** An example's number, by which a merge orders the rows of all shards. */
  numberOf: (example: Example) => number;
  /** Whether the shard has whole files, so that only the first shard reads all. */
  hasWholeFiles: boolean;
  evaluators: readonly Evaluator[];
  failures: ReadonlyMap<Evaluator, Failures>;
  /** Set in the shard that tests the evaluators for all. */
  repeats?: Repeats;
  meter: ProgressMeter;
  digests: ImageDigests;
  /** The names of the images in mismatched pairs. They may be images of other shards. */
  drawn: Set<string>;
}

/**
 * Measures the shard with one probe. Each probe has its own bench, because a bench reports each truncated text only
 * once. All benches share the shard's store.
 */
export async function measureShard(
  job: ShardJob,
  probe: Probe,
  options: Record<string, OptionValue>,
  draws: Draws,
): Promise<Manifest['probes'][number]> {
  const { request, evaluators, meter, dataset } = job;
  const { onEvent = () => undefined } = request;
  onEvent({
    type: 'started',
    probe: probe.id,
    evaluators: evaluators.map(({ info }) => info.id),
    format: dataset.format,
  });
  meter.start((progress) => onEvent({ type: 'progress', probe: probe.id, progress }));
  const bench = createBench({
    store: join(job.folder, storeName),
    batchSize: request.batchSize,
    digests: job.digests,
    onProgress: (progress) => meter.bench(progress),
    onWarning: (message) => onEvent({ type: 'notice', message }),
  });
  const finder = createImageFinder({
    dataset: job.whole,
    folders: request.images ?? [],
    signal: request.signal,
  });
  try {
    if (probe.mode === 'gallery') {
      for (const evaluator of evaluators) await job.repeats?.of(evaluator);
      await encodeGallery(job, probe, options, bench, finder);
      return { probe: probe.id, options };
    }
    return { probe: probe.id, options, parts: await measurePairs(job, probe, options, draws, bench, finder) };
  } finally {
    meter.finish();
    await bench.close();
  }
}

async function encodeGallery(
  { request, whole, dataset, evaluators, failures, path, seed, meter }: ShardJob,
  probe: GalleryProbe,
  options: Record<string, OptionValue>,
  bench: Bench,
  finder: ImageFinder,
): Promise<void> {
  const voters = new Voters(request, evaluators, options);
  await runGallery({
    voters: voters.get,
    probe,
    dataset,
    whole,
    limit: request.limit ?? Infinity,
    context: {
      ...(await contextOf(path, seed, options, probe, () => whole.read({ signal: request.signal }))).context,
      ...(await languageFor(request, whole)),
    },
    evaluatorRuns: evaluators.map((evaluator) => ({
      evaluator,
      rows: undefined,
      exclusions: new Exclusions(),
      examples: 0,
    })),
    bench: {
      ...bench,
      embeddings: async (evaluator, items, signal) => {
        const outcomes = await bench.embeddings(evaluator, items, signal);
        failures.get(evaluator)?.note(items, outcomes);
        return outcomes;
      },
    },
    finder,
    signal: request.signal,
    onProblem: undefined,
    onExample: (example) => meter.read(example),
  }).finally(() => voters.close());
}

/** The language of the whole file, so that all shards use the same language. */
async function languageFor(
  { signal }: ShardJob['request'],
  whole: ShardJob['whole'],
): Promise<{ language?: string }> {
  const language = await languageOfFile(whole.read({ signal }));
  return language === undefined ? {} : { language };
}

/** Rows are summarised when the shards are merged. */
const noSummary: Summary<Row> = {
  add: () => undefined,
  soFar: () => [],
  *finish() {
    yield;
    return { metrics: [], warnings: [] };
  },
};

/** A run of a shard keeps what a merge needs. */
async function openRun(
  evaluator: Evaluator,
  stem: string,
): Promise<EvaluatorRun & Required<Pick<EvaluatorRun, 'answerLines' | 'cuts'>>> {
  const [exclusions, answers] = [new Exclusions(), new AnswerCounts()];
  const rows = await OutputFile.create(`${stem}.shard.jsonl`);
  const answerLines = await OutputFile.create(`${stem}.answers.jsonl`);
  return { evaluator, rows, answerLines, summary: noSummary, exclusions, answers, examples: 0, cuts: [] };
}

async function measurePairs(
  job: ShardJob,
  probe: PairProbe,
  options: Record<string, OptionValue>,
  draws: Draws,
  bench: Bench,
  finder: ImageFinder,
): Promise<Part[]> {
  const { request, folder, sha256, shard, dataset, evaluators, meter } = job;
  const { onEvent = () => undefined } = request;
  const names = evaluatorNames(evaluators);
  const seams = new SeamMeter();
  const runs: Awaited<ReturnType<typeof openRun>>[] = [];
  let stage: PairStage | undefined;
  try {
    for (const [i, evaluator] of evaluators.entries()) {
      runs.push(await openRun(evaluator, join(folder, `${probe.id}.${names[i]}`)));
    }
    const evaluatorRuns = runs;
    stage = new PairStage({
      probe,
      dataset,
      shard,
      numberOf: job.numberOf,
      limit: request.limit ?? Infinity,
      context: await pairContext(job, probe, options),
      seeds: seedsOf(draws, job.seed),
      bench,
      seams,
      signal: request.signal,
      datasetSha256: sha256,
      evaluatorRuns,
      finder,
      onProblem: (problem) => {
        for (const { exclusions } of evaluatorRuns) exclusions.book(problem);
        onEvent({ type: 'problem', probe: probe.id, problem });
      },
      out: folder,
      images: request.images ?? [],
      map: request.map,
      meter,
      repeats: job.repeats,
      onPartialMetrics: () => undefined,
      onNotice: (message) => onEvent({ type: 'notice', message }),
    });
    await stage.run();
    const parts: Part[] = [];
    // The mismatched pairs below have images of other shards.
    const partly = evaluatorRuns.map(({ evaluator }) =>
      joinPartly([partlyFoundBy(evaluator, finder.partly)]),
    );
    for (const [i, { evaluator, rows, answerLines, exclusions, examples, cuts }] of evaluatorRuns.entries()) {
      const spread = needsSpread(probe, request)
        ? await spreadPart(job, evaluator, bench, finder)
        : undefined;
      parts.push({
        rows: await finished(rows),
        lines: rows.lines,
        examples,
        leftOut: exclusions.ofShard(),
        answers: await finished(answerLines),
        cuts: cuts.filter((keys) => keys !== ''),
        ...(spread === undefined ? {} : { spread }),
        partlyFound: partly[i],
      });
    }
    await stage.end();
    return parts;
  } catch (error) {
    const left = await stage?.stop(error);
    // A resumed run writes the answers again, from the checkpoint.
    await Promise.all(
      runs.flatMap(({ rows, answerLines }) => [left ? rows.leave() : rows.discard(), answerLines.discard()]),
    );
    throw error;
  } finally {
    await seams.close();
  }
}

async function finished(file: OutputFile): Promise<KeptFile> {
  await file.finish();
  return keptFileAt(dirname(file.path), basename(file.path));
}

/** Scores this shard's part of the whole dataset's mismatched pairs. */
async function spreadPart(
  { request, whole, seed, shard, drawn, hasWholeFiles }: ShardJob,
  evaluator: Evaluator,
  bench: Bench,
  finder: ImageFinder,
): Promise<Part['spread']> {
  const { signal, limit = Infinity } = request;
  if (hasWholeFiles && shard.index > 1) return undefined;
  const pairs = await pairsOf({ dataset: whole, limit, seed, finder, signal }, evaluator);
  const isOwn = (i: number): boolean => hasWholeFiles || i % shard.count === shard.index % shard.count;
  const own = pairs.filter((_, i) => isOwn(i));
  for (const { want } of own)
    if (want.left.kind === 'image' && 'path' in want.left.source) drawn.add(want.left.source.name);
  return scoreMismatched(evaluator, own, bench, signal);
}

async function pairContext(
  { request, whole, path, seed }: ShardJob,
  probe: PairProbe,
  options: Record<string, OptionValue>,
) {
  const examples = () => whole.read({ signal: request.signal });
  const { context } = await contextOf(path, seed, options, probe, examples);
  return { ...context, ...(await languageFor(request, whole)) };
}
