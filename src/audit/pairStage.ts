import { resolve } from 'node:path';
import { CaptiousError } from '../base/errors';
import type { Dataset, Problem } from '../dataset/dataset';
import type { Evaluator } from '../evaluator/evaluator';
import type { Findings, PairProbe } from '../probe/probe';
import type { Standing } from './events';
import { LateSummary } from './lateSummary';
import { findLeft, identityOf, Journal, type Mark } from './journal';
import { type Done, type PairRun, photosFor, runPairs, type Seat } from './pairs';
import { PhotoTrail } from './photoTrail';
import type { ProgressMeter } from './progress';
import { Standings } from './standings';
import { type Former, takeOver } from './takeOver';
import { versions } from './versions';

export interface PairStageJob extends Pick<
  PairRun,
  'probe' | 'limit' | 'context' | 'bench' | 'seams' | 'signal'
> {
  probe: PairProbe;
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  datasetSha256: string;
  seats: readonly Seat[];
  finder: Parameters<typeof photosFor>[1];
  /** Folder of the reports; those of photos and the columns chosen by hand, which change what a row holds. */
  out: string;
  images: readonly string[];
  map: unknown;
  meter: ProgressMeter;
  onStandings: (standings: Standing[]) => void;
  onNotice: (message: string) => void;
}

/** One probe that scores pairs, over a dataset: goes on from what an unfinished run left, and leaves as much itself. */
export class PairStage {
  private journal: Journal | undefined;
  private marked = false;

  constructor(private readonly job: PairStageJob) {}

  async run(): Promise<Map<Evaluator, Findings>> {
    const { job } = this;
    const { seats, meter } = job;
    const photosOf = photosFor(
      seats.map(({ evaluator }) => evaluator),
      job.finder,
    );
    const standings = new Standings(seats, job.onStandings);
    const former = await this.begin(photosOf);
    const trail = this.journal && new PhotoTrail(former?.photos);
    const late = former === undefined ? [] : seats.map(lateSummary);
    await sideBySide(job.signal, [
      (signal) =>
        runPairs({
          ...job,
          signal,
          photosOf,
          trail,
          examples: former?.rest ?? job.dataset.read(job),
          examplesBefore: former?.examples,
          onSent: (last) => meter.send(last),
          onMeasured: async (done) => {
            meter.measured(done.last);
            standings.maybeTell();
            await this.mark(done);
          },
        }),
      ...late.map((summary) => (signal: AbortSignal) => summary.catchUp(signal)),
    ]);
    return new Map(seats.map(({ evaluator, summary }) => [evaluator, summary.finish()]));
  }

  /** When the run stops before its end: whether its rows are left for the next one to go on from. */
  async stop(error: unknown): Promise<boolean> {
    const interrupted = error instanceof CaptiousError && error.kind === 'interrupted';
    // What could not be written is not to be found there.
    const isWritten = interrupted && this.job.seats.every(({ rows }) => rows.path !== error.at);
    const worthIt = this.marked && isWritten;
    if (worthIt) await this.journal?.leave();
    else await this.end();
    return worthIt;
  }

  /** Nothing is to be gone on from any more. */
  async end(): Promise<void> {
    await this.journal?.remove();
  }

  private async begin(photosOf: PairRun['photosOf']): Promise<Former | undefined> {
    const { job } = this;
    const { context, seats, dataset, out } = job;
    // What lies beside the dataset has no name by which a next run could know it again.
    if (context.beside !== undefined) return undefined;
    const identity = identityOf([
      job.probe.id,
      { ...context, limit: job.limit === Infinity ? null : job.limit },
      [dataset.path, job.datasetSha256, dataset.format, job.map ?? null],
      job.images.map((folder) => resolve(folder)),
      seats.map(({ evaluator }) => evaluator.info),
      versions(),
    ]);
    const left = await findLeft(out, identity);
    const parts = seats.map(({ rows }) => rows.temporary);
    this.journal = await Journal.begin(out, identity, parts).catch(() => this.withoutJournal());
    if (left === undefined) return undefined;
    const former = await takeOver({ ...job, left, photosOf, onMark: (mark) => this.write(mark) });
    const count = former?.examples.toLocaleString('en');
    job.onNotice(
      former === undefined
        ? 'A run that was stopped left rows that are damaged, or whose photos have changed since: all is measured again.'
        : `The first ${count} examples were measured by a run that was stopped; this one goes on from there.`,
    );
    return former;
  }

  private async mark({ examples, photos, leftOut }: Done): Promise<void> {
    const { seats, bench } = this.job;
    // Taken in any case: without a journal they would gather for the whole run.
    const cuts = seats.map(({ evaluator }) => bench.takeNewCuts(evaluator));
    if (this.journal === undefined) return;
    const marks: Mark['seats'] = [];
    for (const [i, seat] of seats.entries()) {
      await seat.rows.flush();
      const { bytes, lines, crc } = seat.rows;
      marks.push({ bytes, lines, crc, examples: seat.examples, leftOut: leftOut[i], cut: cuts[i] });
    }
    await this.write({ examples, photos, seats: marks });
  }

  private async write(mark: Mark): Promise<void> {
    try {
      await this.journal?.mark(mark);
      this.marked = true;
    } catch {
      await this.end();
      this.journal = this.withoutJournal();
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
function lateSummary(seat: Seat): LateSummary {
  const late = new LateSummary(seat.summary, seat.rows);
  seat.summary = late;
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
    works.map((work) =>
      work(AbortSignal.any([signal, halt.signal])).catch((error: unknown) => {
        first ??= { error };
        halt.abort();
      }),
    ),
  );
  if (first !== undefined) throw first.error;
}
