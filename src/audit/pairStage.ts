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

export interface PairStageJob extends Pick<
  PairRun,
  'probe' | 'limit' | 'context' | 'bench' | 'seams' | 'signal'
> {
  probe: PairProbe;
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  datasetSha256: string;
  evaluatorRuns: readonly EvaluatorRun[];
  finder: Parameters<typeof photosFor>[1];
  /** Folder of the reports; those of photos and the columns chosen by hand, which change what a row holds. */
  out: string;
  images: readonly string[];
  map: unknown;
  meter: ProgressMeter;
  onPartialMetrics: (partialMetrics: Standing[]) => void;
  onNotice: (message: string) => void;
}

/** One probe that scores pairs, over a dataset: goes on from what an unfinished run left, and leaves as much itself. */
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

  /** When the run stops before its end: whether its rows are left for the next one to go on from. */
  async stop(error: unknown): Promise<boolean> {
    const interrupted = error instanceof CaptiousError && error.kind === 'interrupted';
    // What could not be written is not to be found there.
    const isWritten = interrupted && this.job.evaluatorRuns.every(({ rows }) => rows.path !== error.at);
    const worthIt = this.marked && isWritten;
    if (worthIt) await this.checkpoint?.leave();
    else await this.end();
    return worthIt;
  }

  /** Nothing is to be gone on from any more. */
  async end(): Promise<void> {
    await this.checkpoint?.remove();
  }

  private async begin(photosOf: PairRun['photosOf']): Promise<PreviousRun | undefined> {
    const { job } = this;
    const { context, evaluatorRuns, dataset, out } = job;
    // What lies beside the dataset has no name by which a next run could know it again.
    if (context.beside !== undefined) return undefined;
    const identity = identityOf([
      job.probe.id,
      { ...context, limit: job.limit === Infinity ? null : job.limit },
      [dataset.path, job.datasetSha256, dataset.format, job.map ?? null],
      job.images.map((folder) => resolve(folder)),
      evaluatorRuns.map(({ evaluator }) => evaluator.info),
      versions(),
    ]);
    const left = await findLeft(out, identity);
    const parts = evaluatorRuns.map(({ rows }) => rows.temporary);
    this.checkpoint = await Checkpoint.begin(out, identity, parts).catch(() => this.withoutJournal());
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
        ? 'A run that was stopped left rows that are damaged, or whose photos have changed since: all is measured again.'
        : `The first ${count} examples were measured by a run that was stopped; this one goes on from there.`,
    );
    return previous;
  }

  private async mark({ examples, photos, leftOut }: Done): Promise<void> {
    const { evaluatorRuns, bench } = this.job;
    // Taken in any case: without a journal they would gather for the whole run.
    const cuts = evaluatorRuns.map(({ evaluator }) => bench.takeNewCuts(evaluator));
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
      this.checkpoint = this.withoutJournal();
    }
  }

  /** It costs going on from it, not the run. */
  private withoutJournal(): undefined {
    this.marked = false;
    this.job.onNotice(
      'How far this run comes cannot be written beside its rows: the next one could not go on from them.',
    );
  }
}

/** Puts one in the place of the seat's own, which has seen none of its rows. */
function deferredSummary(evaluatorRun: EvaluatorRun): DeferredSummary {
  const late = new DeferredSummary(evaluatorRun.summary, evaluatorRun.rows);
  evaluatorRun.summary = late;
  return late;
}

/** Runs them all to their ends; the first that fails stops the others, and is what is answered. */
async function sideBySide(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const halt = new AbortController();
  let first: { error: unknown } | undefined;
  await Promise.all(
    works.map((work) => {
      const own = AbortSignal.any([signal, halt.signal]);
      // Each evaluator of the run listens to it.
      setMaxListeners(0, own);
      return work(own).catch((error: unknown) => {
        first ??= { error };
        halt.abort();
      });
    }),
  );
  if (first !== undefined) throw first.error;
}
