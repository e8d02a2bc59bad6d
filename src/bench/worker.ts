import { valueIn } from '../base/lists';
import { say } from '../base/say';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled } from '../base/errors';
import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import { largestScore } from '../evaluator/outcomes';
import { Portion } from './portion';
import { batchesOf, type Task } from './task';
import type { Value } from './value';

export interface BatchLimits {
  /** The most texts in a batch. `images` is the most images or pairs in a batch. */
  texts: number;
  images: number;
  /** The most tokens in a batch of several texts. */
  tokens: number;
  /** Whether slow evaluators also get batches of these sizes. */
  isSteady?: boolean;
}

export interface WorkerQueue {
  /** Called before the first batch after a pause. */
  begin(): void;
  /** Whether sending must pause until `wake`. */
  held(): boolean;
  /** Settles the tasks and stores their outcomes. */
  arrived(tasks: readonly Task[], outcomes: readonly Outcome<Value>[]): Promise<void>;
  failed(tasks: readonly Task[], error: unknown): void;
}

const measuredAtOnce = 256;
/** A bucket that was skipped this often is sent next, regardless of its size. */
const retry = 64;

interface Bucket {
  limit: number;
  tasks: Set<Task>;
}

/** One evaluator's queue: forms batches of similar items and keeps the evaluator busy. */
export class BatchWorker {
  private readonly unmeasured = new Set<Task>();
  private readonly buckets = new Map<string, Bucket>();
  private readonly active = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private measuring = false;
  private stopped = false;
  private busy = 0;
  private fixed = 0;
  private sent = 0;
  private answered = 0;
  /** When the last batch was answered, in the milliseconds of `performance.now`. */
  private lastAnswer = 0;
  private readonly portion = new Portion();

  constructor(
    private readonly evaluator: Evaluator,
    private readonly limits: BatchLimits,
    private readonly queue: WorkerQueue,
  ) {}

  add(tasks: readonly Task[]): void {
    for (const task of tasks) {
      if (task.work.kind !== 'text') this.enqueue(task, task.work.kind, this.limits.images);
      else if (this.evaluator.measureTexts === undefined) this.enqueue(task, 'text', this.limits.texts);
      else {
        task.home = this.unmeasured;
        this.unmeasured.add(task);
      }
    }
    if (!this.measuring && this.unmeasured.size > 0) this.track(this.measure());
    this.wake();
  }

  /** Queues the tasks of one request in batches of at most the sizes in `Evaluator.fixedBatches`. */
  addFixed(tasks: readonly Task[], sizes: NonNullable<Evaluator['fixedBatches']>): void {
    for (const batch of batchesOf(tasks, sizes)) {
      const name = `fixed ${this.fixed++}`;
      for (const task of batch) this.enqueue(task, name, batch.length);
    }
    this.wake();
  }

  /** Drops waiting tasks. Batches in progress have `grace` milliseconds before they are cancelled. */
  async stop(grace: number): Promise<void> {
    this.stopped = true;
    const waiting = [...this.unmeasured, ...[...this.buckets.values()].flatMap(({ tasks }) => [...tasks])];
    this.unmeasured.clear();
    this.buckets.clear();
    this.queue.failed(waiting, cancelled());
    await this.settled(grace);
    this.stopping.abort(cancelled());
    await this.settled(grace);
  }

  private async settled(grace: number): Promise<void> {
    if (this.active.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, grace);
    });
    await Promise.race([Promise.all(this.active), late]);
    clearTimeout(timer);
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.active.delete(tracked));
    this.active.add(tracked);
  }

  private enqueue(task: Task, name: string, limit: number): void {
    const bucket = valueIn(this.buckets, name, () => ({ limit, tasks: new Set<Task>() }));
    task.home = bucket.tasks;
    task.since = this.sent;
    bucket.tasks.add(task);
  }

  private async measure(): Promise<void> {
    this.measuring = true;
    // Starts to load the model now, while the tokenizer starts.
    if (this.sent === 0) this.evaluator.expectTexts?.(this.unmeasured.size);
    while (this.unmeasured.size > 0) {
      const tasks = take(this.unmeasured, measuredAtOnce);
      try {
        const texts = tasks.map(({ work }) => (work.kind === 'text' ? work.text : ''));
        const sizes = await this.evaluator.measureTexts!(texts, this.stopping.signal);
        sameLength(this.evaluator, sizes, tasks);
        for (const [i, task] of tasks.entries()) {
          const { tokens, cut } = sizes[i];
          task.cut = cut;
          const rows = Math.max(1, Math.min(this.limits.texts, Math.floor(this.limits.tokens / tokens)));
          if (task.wanted > 0 && !this.stopped) this.enqueue(task, `text ${tokens}`, rows);
          else this.queue.failed([task], cancelled());
        }
      } catch (error) {
        this.queue.failed(tasks, error);
      }
      this.wake();
      // Messages of the child process can arrive here, between two groups of texts.
      await nextTurn();
    }
    this.measuring = false;
    this.wake();
  }

  /** Sends batches until the allowed number of batches is in progress. */
  wake(): void {
    const { parallel = 1, ahead = 1 } = this.evaluator;
    while (this.busy < (1 + ahead) * parallel && !this.stopped && !this.queue.held()) {
      const bucket = this.next();
      if (bucket === undefined) return;
      this.track(this.send(take(bucket.tasks, this.share(bucket))));
    }
  }

  /** Chooses a bucket that waited too long, or else a full bucket, or else the fullest bucket. */
  private next(): Bucket | undefined {
    let best: Bucket | undefined;
    let bestFill = 0;
    for (const [name, bucket] of this.buckets) {
      const [first] = bucket.tasks;
      if (first === undefined) {
        this.buckets.delete(name);
        continue;
      }
      if (this.sent - first.since > retry) return bucket;
      const fill = Math.min(1, bucket.tasks.size / this.rowsOf(bucket));
      if (fill > bestFill) [best, bestFill] = [bucket, fill];
    }
    // While a batch is in progress, a partial batch waits for more texts of its size.
    return bestFill < 1 && this.measuring && this.busy > 0 ? undefined : best;
  }

  /** The size of the bucket's next batch. Two batches of 20 are faster than batches of 32 and 8. */
  private share(bucket: Bucket): number {
    const { size } = bucket.tasks;
    const rows = this.rowsOf(bucket);
    return this.measuring || size > 2 * rows ? rows : Math.ceil(size / Math.ceil(size / rows));
  }

  private rowsOf({ limit }: Bucket): number {
    if (this.evaluator.fixedBatches !== undefined) return limit;
    return this.portion.of(limit);
  }

  private async send(tasks: readonly Task[]): Promise<void> {
    if (this.busy === 0) this.queue.begin();
    this.busy++;
    this.sent++;
    // The time of the first batches includes loading the model, so it says nothing about the best batch size.
    const telling = this.answered > 0;
    const begun = performance.now();
    let outcomes: Outcome<Value>[];
    try {
      outcomes = await this.ask(tasks);
      sameLength(this.evaluator, outcomes, tasks);
    } catch (error) {
      this.busy--;
      this.queue.failed(tasks, error);
      this.wake();
      return;
    }
    this.busy--;
    this.answered++;
    const now = performance.now();
    // The time does not include waiting for the previous batch.
    const took = (now - Math.max(begun, this.lastAnswer)) * (this.evaluator.parallel ?? 1);
    this.lastAnswer = now;
    if (telling && this.evaluator.fixedBatches === undefined && this.limits.isSteady !== true)
      this.portion.adapt(took);
    this.wake();
    await this.queue.arrived(tasks, outcomes);
  }

  private async ask(tasks: readonly Task[]): Promise<Outcome<Value>[]> {
    const { evaluator } = this;
    const { signal } = this.stopping;
    const works = tasks.map(({ work }) => work);
    const texts = works.flatMap((work) => (work.kind === 'text' ? [work.text] : []));
    if (texts.length === works.length) {
      // Evaluators with fixed batches measure texts here. Other evaluators measure texts before batching.
      if (evaluator.fixedBatches !== undefined && evaluator.measureTexts !== undefined) {
        const sizes = await evaluator.measureTexts(texts, signal);
        sizes.forEach(({ cut }, i) => (tasks[i].cut = cut));
      }
      const outcomes = await evaluator.embedTexts!(texts, signal);
      return outcomes.map((outcome, i) => this.vector(outcome, tasks[i]?.cut ?? false));
    }
    const images = works.flatMap((work) => (work.kind === 'image' ? [work.image] : []));
    if (images.length === works.length) {
      const outcomes = await evaluator.embedImages!(images, signal);
      return outcomes.map((outcome) => this.vector(outcome, false));
    }
    const pairs = works.filter((work) => work.kind === 'pair');
    return (await evaluator.scorePairs!(pairs, signal)).map((outcome) => {
      if (!outcome.ok) return outcome;
      if (!Number.isFinite(outcome.value)) return { ok: false, problem: say('bench.scoreNotFinite') };
      if (Math.abs(outcome.value) > largestScore) return { ok: false, problem: say('bench.scoreTooLarge') };
      return { ...outcome, value: { kind: 'score', score: outcome.value } };
    });
  }

  private vector(outcome: Outcome<Float32Array>, cut: boolean): Outcome<Value> {
    if (!outcome.ok) return outcome;
    const vector = outcome.value;
    const { dimension } = this.evaluator.info;
    if (dimension !== undefined && vector.length !== dimension) {
      return { ok: false, problem: say('bench.embeddingLength', vector.length, dimension) };
    }
    if (!vector.every(Number.isFinite)) return { ok: false, problem: say('bench.embeddingNotFinite') };
    return { ...outcome, value: { kind: 'vector', vector, cut } };
  }
}

function take(tasks: Set<Task>, count: number): Task[] {
  const taken: Task[] = [];
  for (const task of tasks) {
    if (taken.length === count) break;
    tasks.delete(task);
    task.home = undefined;
    taken.push(task);
  }
  return taken;
}

function sameLength(evaluator: Evaluator, answers: readonly unknown[], tasks: readonly Task[]): void {
  if (answers.length === tasks.length) return;
  throw new Error(`${evaluator.info.id} returned ${answers.length} results for ${tasks.length} items.`);
}
