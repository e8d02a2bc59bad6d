import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { CaptiousError } from '../base/errors';
import type { Dataset, Problem } from '../dataset/dataset';
import type { Evaluator } from '../evaluator/evaluator';
import type { Findings, PairProbe } from '../probe/probe';
import type { Standing } from './events';
import { DeferredSummary } from './resume/deferredSummary';
import { findLeft, identityOf, Checkpoint, type Mark } from './resume/checkpoint';
import { type Done, type PairRun, photosFor, runPairs, type EvaluatorRun } from './pairs';
import { ImageStates } from './resume/imageStates';
import type { ProgressMeter } from './progress';
import { PartialMetrics } from './partialMetrics';
import { type PreviousRun, takeOver } from './resume/resume';
import { versions } from './output/versions';
import type { Shard } from './shard/shard';

export interface PairStageJob extends Pick<
  PairRun,
  'probe' | 'limit' | 'context' | 'bench' | 'seams' | 'signal' | 'numberOf'
> {
  probe: PairProbe;
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  datasetSha256: string;
  evaluatorRuns: readonly EvaluatorRun[];
  finder: Parameters<typeof photosFor>[1];
  /** The shard, if this run measures only one. */
  shard?: Shard;
  /**
   * The folders for reports and images, and the user's column names, affect the rows. So they identify the
   * run.
   */
  out: string;
  images: readonly string[];
  map: unknown;
  meter: ProgressMeter;
  onPartialMetrics: (partialMetrics: Standing[]) => void;
  onNotice: (message: string) => void;
}

/** Runs one pair probe over a dataset, resuming from a checkpoint and writing its own. */
export class PairStage {
  private checkpoint: Checkpoint | undefined;
  private marked = false;

  constructor(private readonly job: PairStageJob) {}

  async run(): Promise<Map<Evaluator, Findings>> {
    const { job } = this;
    const { evaluatorRuns, meter } = job;
    const photosOf = photosFor(
      evaluatorRuns.map(({ evaluator }) => evaluator),
      job.finder,
    );
    const partialMetrics = new PartialMetrics(evaluatorRuns, job.onPartialMetrics);
    const previous = await this.begin(photosOf);
    const imageStates = this.checkpoint && new ImageStates(previous?.photos);
    const late = previous === undefined ? [] : evaluatorRuns.map(deferredSummary);
    await sideBySide(job.signal, [
      (signal) =>
        runPairs({
          ...job,
          signal,
          photosOf,
          imageStates,
          examples: previous?.rest ?? job.dataset.read(job),
          examplesBefore: previous?.examples,
          onSent: (last) => meter.send(last),
          onMeasured: async (done) => {
            meter.measured(done.last);
            partialMetrics.maybeTell();
            await this.mark(done);
          },
        }),
      ...late.map((summary) => (signal: AbortSignal) => summary.catchUp(signal)),
    ]);
    return new Map(evaluatorRuns.map(({ evaluator, summary }) => [evaluator, summary.finish()]));
  }

  /** Called if the run stops early. Returns whether the next run can resume it. */
  async stop(error: unknown): Promise<boolean> {
    const interrupted = error instanceof CaptiousError && error.kind === 'interrupted';
    // If rows could not be written, the run cannot be resumed.
    const isWritten = interrupted && this.job.evaluatorRuns.every(({ rows }) => rows.path !== error.at);
    const worthIt = this.marked && isWritten;
    if (worthIt) await this.checkpoint?.leave();
    else await this.end();
    return worthIt;
  }

  async end(): Promise<void> {
    await this.checkpoint?.remove();
  }

  private async begin(photosOf: PairRun['photosOf']): Promise<PreviousRun | undefined> {
    const { job } = this;
    const { context, evaluatorRuns, dataset, out } = job;
    // Captious does not track changes of additional input files, so runs with them cannot be resumed.
    if (context.beside !== undefined) return undefined;
    const identity = identityOf([
      job.probe.id,
      { ...context, limit: job.limit === Infinity ? null : job.limit },
      [dataset.path, job.datasetSha256, dataset.format, job.map ?? null],
      job.images.map((folder) => resolve(folder)),
      evaluatorRuns.map(({ evaluator }) => evaluator.info),
      versions(),
      job.shard ?? null,
    ]);
    const left = await findLeft(out, identity);
    const parts = evaluatorRuns.map(({ rows }) => rows.temporary);
    this.checkpoint = await Checkpoint.begin(out, identity, parts).catch(() => this.withoutCheckpoint());
    if (left === undefined) return undefined;
    const previous = await takeOver({ ...job, left, photosOf, onMark: (mark) => this.write(mark) }).catch(
      async (error: unknown) => {
        await left.release();
        throw error;
      },
    );
    const count = previous?.examples.toLocaleString('en');
    job.onNotice(
      previous === undefined
        ? 'The rows of an earlier, stopped run are damaged, or its images have changed. This run starts over.'
        : `This run resumes after ${count} examples that an earlier run measured.`,
    );
    return previous;
  }

  private async mark({ examples, photos, leftOut }: Done): Promise<void> {
    const { evaluatorRuns, bench } = this.job;
    // The keys of truncated texts are taken even without a checkpoint. Otherwise, the bench would keep them
    // during the whole run.
    const cuts = evaluatorRuns.map(({ evaluator }) => bench.takeNewCuts(evaluator));
    for (const [i, evaluatorRun] of evaluatorRuns.entries()) evaluatorRun.cuts?.push(cuts[i]);
    if (this.checkpoint === undefined) return;
    const marks: Mark['evaluatorRuns'] = [];
    for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
      await evaluatorRun.rows.flush();
      const { bytes, lines, crc } = evaluatorRun.rows;
      marks.push({ bytes, lines, crc, examples: evaluatorRun.examples, leftOut: leftOut[i], cut: cuts[i] });
    }
    await this.write({ examples, photos, evaluatorRuns: marks });
  }

  private async write(mark: Mark): Promise<void> {
    try {
      await this.checkpoint?.mark(mark);
      this.marked = true;
    } catch {
      await this.end();
      this.checkpoint = this.withoutCheckpoint();
    }
  }

  /** The run continues, but it can no longer be resumed. */
  private withoutCheckpoint(): undefined {
    this.marked = false;
    this.job.onNotice('The checkpoint of this run cannot be written, so the run cannot be resumed.');
  }
}

/** Replaces the run's own summary, which lacks the rows of the earlier run. */
function deferredSummary(evaluatorRun: EvaluatorRun): DeferredSummary {
  const late = new DeferredSummary(evaluatorRun.summary, evaluatorRun.rows);
  evaluatorRun.summary = late;
  return late;
}

/** Runs all tasks; the first failure stops the others and is rethrown. */
async function sideBySide(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const halt = new AbortController();
  let first: { error: unknown } | undefined;
  await Promise.all(
    works.map((work) => {
      const own = AbortSignal.any([signal, halt.signal]);
      // Each evaluator adds a listener to this signal, which Node would warn about.
      setMaxListeners(0, own);
      return work(own).catch((error: unknown) => {
        first ??= { error };
        halt.abort();
      });
    }),
  );
  if (first !== undefined) throw first.error;
}
