import { setMaxListeners } from 'node:events';
import { CaptiousError, throwIfCancelled } from '../base/errors';
import { inTurns } from '../base/turns/steps';
import type { Dataset, Problem } from '../dataset/dataset';
import { placed } from '../dataset/images/imagePlaces';
import { type Evaluator, uncoveredBy } from '../evaluator/evaluator';
import type { Findings, PairProbe } from '../probe/probe';
import type { Standing } from './events';
import { DeferredSummary } from './resume/deferredSummary';
import { findLeft, identityOf, Checkpoint } from './resume/checkpoint';
import { contentHash } from './resume/contentHash';
import type { Mark } from './resume/mark';
import { imagesFor, runPairs } from './pairs';
import { FailedCheck, takeOverUnchecked, type UncheckedRun } from './resume/deferredCheck';
import { Exclusions } from './exclusions';
import type { Repeats } from './spread/repeat';
import { AnswerCounts } from '../probe/refused/counts';
import { OutputFile } from '../report/output';
import { ImageStates } from './resume/imageStates';
import type { ProgressMeter } from './progress';
import { PartialMetrics } from './partialMetrics';
import { type PreviousRun, removeAll, takeOver } from './resume/resume';
import { versions } from '../base/files/versions';
import type { Shard } from './shard/shard';
import type { PairRun, Done, EvaluatorRun } from './scoring/pairRun';

export interface PairStageJob extends Pick<
  PairRun,
  'probe' | 'limit' | 'context' | 'seeds' | 'bench' | 'seams' | 'signal' | 'numberOf'
> {
  probe: PairProbe;
  dataset: Dataset;
  onProblem: (problem: Problem) => void;
  datasetSha256: string;
  evaluatorRuns: readonly EvaluatorRun[];
  finder: Parameters<typeof imagesFor>[1];
  /** The shard, if this run measures only one. */
  shard?: Shard;
  out: string;
  /** The image folders. Like the column names in `map`, they affect the rows and the run's identity. */
  images: readonly string[];
  map: unknown;
  meter: ProgressMeter;
  /** The tests of evaluators before the run. Absent if none are made. */
  repeats?: Repeats;
  onPartialMetrics: (partialMetrics: Standing[]) => void;
  onNotice: (message: string) => void;
}

/** Runs one pair probe over a dataset. Resumes from a checkpoint and writes checkpoints. */
export class PairStage {
  private checkpoint: Checkpoint | undefined;
  private identity = '';
  private marked = false;
  /**
   * The new keys of truncated texts, by evaluator, while earlier rows are checked; otherwise undefined. If the check
   * fails, these texts are measured again, but the bench does not report their keys again.
   */
  private uncheckedCuts: string[][] | undefined;
  private discardedCuts: string[][] = [];

  constructor(private readonly job: PairStageJob) {}

  async run(): Promise<Map<Evaluator, Findings>> {
    const { job } = this;
    const { evaluatorRuns } = job;
    const evaluators = evaluatorRuns.map(({ evaluator }) => evaluator);
    const imagesOf = imagesFor(evaluators, job.finder);
    const summaries = evaluatorRuns.map(({ summary }) => summary);
    const previous = await this.begin(imagesOf);
    await job.repeats?.testAll(evaluators, previous?.marks.at(-1)?.evaluatorRuns);
    try {
      await this.measure(imagesOf, previous);
    } catch (error) {
      if (!(error instanceof FailedCheck) || previous === undefined) throw error;
      for (const [i, evaluatorRun] of evaluatorRuns.entries()) evaluatorRun.summary = summaries[i];
      const valid = await this.startOver(imagesOf, previous.marks);
      await job.repeats?.testAll(evaluators, 'again');
      await this.measure(imagesOf, valid);
    }
    const findings = new Map<Evaluator, Findings>();
    for (const { evaluator, summary, answers } of evaluatorRuns) {
      const found = await inTurns(summary.finish(), job.signal);
      findings.set(evaluator, await inTurns(answers.addTo(found), job.signal));
    }
    return findings;
  }

  private async measure(
    imagesOf: PairRun['imagesOf'],
    previous: (PreviousRun & Partial<UncheckedRun>) | undefined,
  ): Promise<void> {
    const { job } = this;
    const { evaluatorRuns, meter } = job;
    const partialMetrics = new PartialMetrics(evaluatorRuns, job.onPartialMetrics);
    const imageStates = this.checkpoint && new ImageStates(previous?.images);
    const late = previous === undefined ? [] : evaluatorRuns.map(deferredSummary);
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await sideBySide(job.signal, [
      (signal) =>
        runPairs({
          ...job,
          signal,
          imagesOf,
          imageStates,
          examples: previous?.rest ?? job.dataset.read(job),
          examplesBefore: previous?.examples,
          positionBefore: previous?.position,
          onSent: (last) => meter.send(last),
          onMeasured: async (done) => {
            meter.measured(done.last);
            partialMetrics.maybeTell();
            await this.mark(done);
            begin();
          },
        }).finally(begin),
      async (signal) => {
        // The check of earlier examples starts only after the first new examples, because both need the CPU.
        await begun;
        throwIfCancelled(signal);
        await previous?.check?.(signal);
        this.uncheckedCuts = undefined;
        await Promise.all(late.map((summary) => summary.catchUp(signal)));
      },
    ]);
  }

  /** Ends a run that stopped early. If the next run can resume, keeps the checkpoint and returns true. */
  async stop(error: unknown): Promise<boolean> {
    const interrupted = error instanceof CaptiousError && error.kind === 'interrupted';
    // If rows could not be written to disk, the run cannot be resumed.
    const isWritten = interrupted && this.job.evaluatorRuns.every(({ rows }) => rows.path !== error.at);
    const worthIt = this.marked && isWritten;
    if (worthIt) await this.checkpoint?.leave();
    else await this.end();
    return worthIt;
  }

  async end(): Promise<void> {
    await this.checkpoint?.remove();
  }

  private async begin(imagesOf: PairRun['imagesOf']): Promise<UncheckedRun | undefined> {
    const { job } = this;
    const { context, evaluatorRuns, dataset, out } = job;
    const identity = identityOf([
      job.probe.id,
      { ...context, beside: contentHash(context.beside), seeds: job.seeds },
      job.limit === Infinity ? null : job.limit,
      [dataset.path, job.datasetSha256, dataset.format, job.map ?? null],
      job.images.map((folder) => placed(folder)),
      evaluatorRuns.map(({ evaluator }) => evaluator.info),
      versions(),
      job.shard ?? null,
    ]);
    this.identity = identity;
    const left = await findLeft(out, identity);
    await this.beginCheckpoint();
    if (left === undefined) return undefined;
    const takingOver = { ...job, left, imagesOf, onMarks: (marks: readonly Mark[]) => this.write(marks) };
    const previous = await takeOverUnchecked(takingOver).catch(async (error: unknown) => {
      await left.release();
      throw error;
    });
    if (previous === undefined) await removeAll(left.files);
    else this.uncheckedCuts = evaluatorRuns.map(() => []);
    job.onNotice(previous === undefined ? `${damaged} This run starts over.` : resumesAfter(previous));
    return previous;
  }

  private async beginCheckpoint(): Promise<void> {
    const parts = this.job.evaluatorRuns.map(({ rows }) => rows.temporary);
    this.checkpoint = await Checkpoint.begin(this.job.out, this.identity, parts).catch(() =>
      this.withoutCheckpoint(),
    );
  }

  /** Continues from the valid part of an earlier run whose check failed. Later measurements are discarded. */
  private async startOver(
    imagesOf: PairRun['imagesOf'],
    marks: readonly Mark[],
  ): Promise<PreviousRun | undefined> {
    const { job } = this;
    const parts: string[] = [];
    for (const evaluatorRun of job.evaluatorRuns) {
      const { rows } = evaluatorRun;
      await rows.leave();
      parts.push(rows.temporary);
      evaluatorRun.rows = await OutputFile.create(rows.path);
      evaluatorRun.exclusions = new Exclusions();
      evaluatorRun.answers = new AnswerCounts();
      const { answerLines } = evaluatorRun;
      await answerLines?.discard();
      if (answerLines !== undefined) evaluatorRun.answerLines = await OutputFile.create(answerLines.path);
      evaluatorRun.examples = 0;
      evaluatorRun.cuts?.splice(0);
    }
    // The bench will not report these truncated texts again.
    this.discardedCuts = this.uncheckedCuts ?? [];
    this.uncheckedCuts = undefined;
    const own = await this.checkpoint?.setAside();
    this.marked = false;
    await this.beginCheckpoint();
    const left = { files: own === undefined ? parts : [own, ...parts], parts, marks: [...marks] };
    const previous = await takeOver({
      ...job,
      left: { ...left, release: () => Promise.resolve() },
      imagesOf,
      onMarks: (valid) => this.write(valid),
    });
    job.onNotice(`${damaged} ${previous === undefined ? 'This run starts over.' : resumesAfter(previous)}`);
    return previous;
  }

  private async mark({ examples, position, imageHash, leftOut, answers }: Done): Promise<void> {
    const { evaluatorRuns, bench } = this.job;
    // The bench keeps the keys of truncated texts in memory until they are taken.
    const cuts = evaluatorRuns.map(({ evaluator }, i) =>
      joined([...(this.discardedCuts[i] ?? []), bench.takeNewCuts(evaluator)]),
    );
    this.discardedCuts = [];
    for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
      evaluatorRun.cuts?.push(cuts[i]);
      this.uncheckedCuts?.[i].push(cuts[i]);
    }
    // A later run could not tell whether rows without a complete key still apply.
    const isCovered = evaluatorRuns.every(({ evaluator }) => isEmpty(uncoveredBy(evaluator)));
    if (this.checkpoint === undefined || !isCovered) return;
    const marks: Mark['evaluatorRuns'] = [];
    for (const [i, evaluatorRun] of evaluatorRuns.entries()) {
      await evaluatorRun.rows.flush();
      const { bytes, lines, crc } = evaluatorRun.rows;
      const repeat = this.job.repeats?.get(evaluatorRun.evaluator);
      marks.push({
        ...{ bytes, lines, crc, examples: evaluatorRun.examples },
        ...{ leftOut: leftOut[i], answers: answers[i], cut: cuts[i] },
        ...(repeat === undefined ? {} : { repeat }),
      });
    }
    await this.write([{ examples, position, images: imageHash, evaluatorRuns: marks }]);
  }

  private async write(marks: readonly Mark[]): Promise<void> {
    try {
      await this.checkpoint?.mark(marks);
      this.marked = true;
    } catch {
      await this.end();
      this.checkpoint = this.withoutCheckpoint();
    }
  }

  /** Called if the checkpoint cannot be written. The run continues, but cannot be resumed. */
  private withoutCheckpoint(): undefined {
    this.marked = false;
    this.job.onNotice('The checkpoint of this run cannot be written, so the run cannot be resumed.');
  }
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

const damaged = 'The rows of an earlier, stopped run are damaged, or its images have changed.';

function resumesAfter({ examples }: PreviousRun): string {
  return `This run resumes after ${examples.toLocaleString('en')} examples that an earlier run measured.`;
}

function joined(keys: readonly string[]): string {
  if (keys.length === 1) return keys[0];
  return Buffer.concat(keys.map((some) => Buffer.from(some, 'base64'))).toString('base64');
}

/** Replaces the run's summary by one that also reads the earlier run's rows. */
function deferredSummary(evaluatorRun: EvaluatorRun): DeferredSummary {
  const late = new DeferredSummary(evaluatorRun.summary, evaluatorRun.rows);
  evaluatorRun.summary = late;
  return late;
}

/** Runs all tasks. The first failure stops the others and is rethrown. */
async function sideBySide(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const halt = new AbortController();
  let first: { error: unknown } | undefined;
  await Promise.all(
    works.map((work) => {
      const own = AbortSignal.any([signal, halt.signal]);
      // Every evaluator adds a listener to this signal. Node.js would warn about their number.
      setMaxListeners(0, own);
      return work(own).catch((error: unknown) => {
        first ??= { error };
        halt.abort();
      });
    }),
  );
  if (first !== undefined) throw first.error;
}
