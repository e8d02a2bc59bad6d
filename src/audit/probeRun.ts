import { basename, extname, join } from 'node:path';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import { languageOfFile } from '../perturb/text/fileLanguage';
import { createImageFinder } from '../dataset/images/images';
import type { PartlyFound } from '../dataset/images/partlyFound';
import { type Evaluator, partlyFoundBy } from '../evaluator/evaluator';
import { SeamMeter } from '../evaluator/native/seamMeter';
import type { Findings, GalleryWatch, OptionValue, PairProbe, Probe } from '../probe/probe';
import { AnswerCounts } from '../probe/refused/counts';
import type { Spread } from '../probe/spread';
import { OutputFile } from '../report/output';
import type { Report } from '../report/report';
import { measuresOfAnswers } from './output/answers';
import { Voters } from './evaluators/voters';
import type { AuditEvent } from './events';
import { type Draws, drawsFor, seedsOf } from './scoring/drawCount';
import { summaryOfDraws } from './scoring/draws';
import { Exclusions, noExamples } from './exclusions';
import { defaultSeed } from './output/folder';
import { runGallery } from './gallery';
import { type DraftFindings, draftFindings } from './precision/draft';
import type { ExactEvaluators } from './precision/exact';
import { PairStage, type PairStageJob } from './pairStage';
import { GalleryMetrics } from './partialMetrics';
import type { ProgressMeter } from './progress';
import type { ImageFold } from './output/imageFold';
import { evaluatorNames } from './output/reportName';
import type { AuditRequest } from './request';
import type { Repeats } from './spread/repeat';
import { spreadsOf } from './spread/spread';
import { writeReport } from './output/writeReport';
import type { EvaluatorRun } from './scoring/pairRun';
import type { WrittenReport } from './output/writtenReport';

export interface Job {
  request: AuditRequest;
  probe: Probe;
  options: Record<string, OptionValue>;
  dataset: Dataset;
  evaluators: readonly Evaluator[];
  bench: Bench;
  out: string;
  meter: ProgressMeter;
  onEvent: (event: AuditEvent) => void;
  /** The spreads that an earlier probe of the run measured. */
  spreads?: Map<Evaluator, Spread>;
  /** The tests of evaluators before the run. Absent if none are made. */
  repeats?: Repeats;
  /** The float32 evaluators of drafts. Absent in a merge of shards. */
  exact?: ExactEvaluators;
  /** The images on which an evaluator's scores depend. Undefined if there are none. */
  imagesOf: (evaluator: Evaluator) => Promise<ImageFold | undefined>;
  /** The step and the pattern of an evaluator that is a checkpoint. */
  checkpointOf?: (evaluator: Evaluator) => Report['checkpoint'];
  onReport?: (evaluator: Evaluator, written: WrittenReport) => Promise<void>;
}

export interface Draft {
  evaluator: Evaluator;
  finish: () => Promise<WrittenReport>;
  discard: () => Promise<void>;
}

/** Runs one probe and returns drafts of the reports. The caller finishes them only if the dataset did not change. */
export async function runProbe(job: Job, datasetSha256: string): Promise<Draft[]> {
  const { probe, dataset, request, meter, onEvent } = job;
  const { seed = defaultSeed, images: folders = [], signal } = request;
  const context = await contextOf(job, seed);
  const draws = await drawsFor(probe, job.options, request, dataset);
  const finder = createImageFinder({ dataset, folders, signal });
  const [seamMeter, voters] = [new SeamMeter(), new Voters(request, job.evaluators, job.options)];
  let stage: PairStage | undefined;
  const evaluatorRuns: OpenRun[] = [];
  const names = evaluatorNames(job.evaluators, (evaluator) => job.checkpointOf?.(evaluator)?.step);
  try {
    for (const [i, evaluator] of job.evaluators.entries()) {
      job.bench.forgetCuts(evaluator);
      const rows = await OutputFile.create(join(job.out, `${probe.id}.${names[i]}.rows.jsonl`));
      evaluatorRuns.push({ evaluator, rows, exclusions: new Exclusions(), examples: 0 });
    }
    const shared = {
      dataset,
      context,
      limit: request.limit ?? Infinity,
      bench: job.bench,
      finder,
      signal,
      onProblem: (problem: Parameters<Exclusions['book']>[0]) => {
        for (const evaluatorRun of evaluatorRuns) evaluatorRun.exclusions.book(problem);
        onEvent({ type: 'problem', probe: probe.id, problem });
      },
    };
    let findings: ReadonlyMap<Evaluator, Findings>;
    if (probe.mode === 'pairs') {
      const more = { seams: seamMeter, datasetSha256 };
      stage = pairStage(job, probe, evaluatorRuns, draws, { ...shared, ...more });
      findings = await withAnswers(job, await stage.run());
    } else {
      for (const { evaluator } of evaluatorRuns) await job.repeats?.of(evaluator);
      findings = await runGallery({
        ...shared,
        probe,
        evaluatorRuns,
        onExample: (example: Example): void => meter.read(example),
        watch: watchOf(job),
        voters: voters.get,
      });
    }
    // Pairs that only the spread needs are no texts of the probe.
    const cuts = job.evaluators.map((evaluator) => job.bench.cutTexts(evaluator));
    const spreads = await spreadsOf(job, { ...shared, seed });
    const images = await Promise.all(job.evaluators.map(job.imagesOf));
    const drafts = await draftsOf(job, evaluatorRuns, { ...shared, seeds: seedsOf(draws, seed) });
    meter.finish();
    if (evaluatorRuns.every(({ examples, exclusions }) => examples + exclusions.skipped === 0))
      throw noExamples(dataset.path);
    const partlyOf = ({ evaluator }: OpenRun): PartlyFound => partlyFoundBy(evaluator, finder.partly);
    return evaluatorRuns.map((evaluatorRun, i) => ({
      evaluator: evaluatorRun.evaluator,
      finish: () =>
        writeReport(
          { ...job, ...orderOf(job, i, draws, cuts), partly: partlyOf(evaluatorRun), images: images[i] },
          names[i],
          evaluatorRun,
          findings.get(evaluatorRun.evaluator)!,
          datasetSha256,
          seed,
          measuredOf(job, evaluatorRun, spreads, drafts[i]),
        ),
      discard: async () => {
        await evaluatorRun.rows.discard();
        await stage?.end();
      },
    }));
  } catch (error) {
    const left = await stage?.stop(error);
    await Promise.all(evaluatorRuns.map(({ rows }) => (left ? rows.leave() : rows.discard())));
    throw error;
  } finally {
    await Promise.all([seamMeter.close(), voters.close()]);
  }
}

/** How far each evaluator's run is from float32. Undefined for runs that are no drafts. */
async function draftsOf(
  { probe, request, exact }: Job,
  evaluatorRuns: readonly OpenRun[],
  shared: Pick<PairStageJob, 'dataset' | 'context' | 'limit' | 'seeds' | 'signal'>,
): Promise<(DraftFindings | undefined)[]> {
  const drafts: (DraftFindings | undefined)[] = [];
  const order = { ...shared, probe, images: request.images ?? [] };
  for (const evaluatorRun of evaluatorRuns)
    drafts.push(await draftFindings(evaluatorRun, order, exact, request.confirm === true));
  return drafts;
}

/** What a report says about the evaluator's scores, besides its metrics. */
function measuredOf(
  { repeats }: Job,
  { evaluator }: OpenRun,
  spreads: ReadonlyMap<Evaluator, Spread>,
  draft: DraftFindings | undefined,
): Parameters<typeof writeReport>[6] {
  return { spread: spreads.get(evaluator), repeat: repeats?.get(evaluator), draft };
}

/** What a report says about the request and its truncated texts. */
function orderOf(
  { request, evaluators, checkpointOf }: Job,
  i: number,
  draws: Draws,
  cuts: readonly number[],
) {
  const { limit, experiment } = request;
  return {
    ...{ limit, experiment, ...draws },
    ...{ checkpoint: checkpointOf?.(evaluators[i]), bench: { cutTexts: () => cuts[i] } },
  };
}

/** What the probe knows of the whole run. */
async function contextOf(
  { probe, dataset, options, request }: Job,
  seed: number,
): Promise<Shared['context']> {
  const language = await languageOfFile(dataset.read({ signal: request.signal }));
  return {
    dataset: basename(dataset.path, extname(dataset.path)),
    seed,
    options,
    ...(language === undefined ? {} : { language }),
    beside: await probe.prepare?.({
      datasetPath: dataset.path,
      options,
      examples: () => dataset.read({ signal: request.signal }),
    }),
  };
}

/** Adds metrics of the evaluators' answers, such as their stability. */
async function withAnswers(
  { request, probe, bench }: Job,
  findings: ReadonlyMap<Evaluator, Findings>,
): Promise<ReadonlyMap<Evaluator, Findings>> {
  const all = new Map<Evaluator, Findings>();
  for (const [evaluator, found] of findings) {
    const asked = { ...request, probe: probe.id, options: request.options?.[probe.id] };
    const more = await measuresOfAnswers(evaluator, asked, bench);
    all.set(evaluator, { ...found, metrics: [...found.metrics, ...more] });
  }
  return all;
}

/** Passes a gallery probe's progress to the progress bar, and its metrics so far to the panel. */
function watchOf({ probe, meter, onEvent }: Job): GalleryWatch {
  const soFar = new GalleryMetrics((partialMetrics) =>
    onEvent({ type: 'partialMetrics', probe: probe.id, partialMetrics }),
  );
  return {
    expect: (items) => meter.expect(items),
    wantsMetrics: () => soFar.wantsMetrics(),
    tell: (evaluator, examples, metrics) => soFar.tell(evaluator.info.name, examples, metrics),
  };
}

type OpenRun = Omit<EvaluatorRun, 'summary' | 'answers'>;
type Shared = Pick<
  PairStageJob,
  'dataset' | 'limit' | 'bench' | 'finder' | 'signal' | 'onProblem' | 'context' | 'seams' | 'datasetSha256'
>;

/** Prepares a probe that scores pairs, with a summary for each evaluator's run. */
function pairStage(
  job: Job,
  probe: PairProbe,
  evaluatorRuns: readonly OpenRun[],
  draws: Draws,
  shared: Shared,
): PairStage {
  const { request, out, meter, onEvent, repeats } = job;
  const { context } = shared;
  const seeds = seedsOf(draws, context.seed);
  return new PairStage({
    ...shared,
    probe,
    seeds,
    evaluatorRuns: evaluatorRuns.map((evaluatorRun) => {
      const { info } = evaluatorRun.evaluator;
      return Object.assign(evaluatorRun, {
        summary: summaryOfDraws(probe, context, info, seeds),
        answers: new AnswerCounts(),
      });
    }),
    out,
    images: request.images ?? [],
    map: request.map,
    meter,
    repeats,
    onPartialMetrics: (partialMetrics) =>
      onEvent({ type: 'partialMetrics', probe: probe.id, partialMetrics }),
    onNotice: (message) => onEvent({ type: 'notice', message }),
  });
}
