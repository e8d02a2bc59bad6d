import { say } from '../base/say';
import { append } from '../base/lists';
import { createHash } from 'node:crypto';
import { CaptiousError, cancelled, throwIfCancelled } from '../base/errors';
import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { BenchOptions } from './bench';
import { Cuts } from './cuts';
import { Identities, type Identity } from './identities';
import { Task, type Work } from './task';
import { type BatchLimits, BatchWorker, type WorkerQueue } from './worker';
import { Meter } from './meter';
import { Recent } from './recent';
import { Store } from './store/store';
import type { StoreRecord } from './store/writer';
import { decodeValue, encodeValue, type Value } from './value';

const defaultLimits: BatchLimits = { texts: 32, images: 8, tokens: 4096 };
/** How many items are looked up per step. */
const piece = 1024;
/** Milliseconds that a closing bench gives batches in progress before it cancels them. */
const grace = 400;
/** The most bytes of results in memory. Without a store, memory is the only cache, so this limit is higher. */
const recentWithStore = 48 << 20;
const recentAlone = 256 << 20;
/** Above this many unwritten bytes, measuring waits for the disk. A record's size includes a fixed overhead. */
const unwrittenLimit = 32 << 20;
const recordOverhead = 1000;

interface Call {
  evaluator: Evaluator;
  works: readonly Work[];
  outcomes: Outcome<Value>[];
  tasks: Task[];
  ended: boolean;
  fail: (error: unknown) => void;
}

/** Finds each result in memory, in the store or in a call in progress. Missing results are measured. */
export class BenchQueue implements WorkerQueue {
  private store: Promise<Store> | undefined;
  private readonly identities: Identities;
  private readonly recent: Recent;
  private readonly meter: Meter;
  private readonly limits: BatchLimits;
  private readonly pending = new Map<string, Task>();
  private readonly workers = new Map<Evaluator, BatchWorker>();
  readonly cuts = new Cuts();
  private unwritten = 0;
  private warned = false;
  private interrupted = false;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: BenchOptions) {
    const { store, onProgress } = options;
    const warn = (message: string): void => {
      // The store has already reported its own write error.
      if (!this.warned) this.warn(message);
    };
    this.identities = new Identities(store, warn, options.digests);
    this.recent = new Recent(store === undefined ? recentAlone : recentWithStore);
    this.meter = new Meter(onProgress);
    this.limits = { ...defaultLimits, isSteady: options.hasSteadyBatches };
  }

  /** The results of `works`, in the same order. */
  async measure(
    evaluator: Evaluator,
    works: readonly Work[],
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Value>[]> {
    throwIfCancelled(signal);
    if (this.closing !== undefined) throw cancelled();
    let fail!: (error: unknown) => void;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const call: Call = { evaluator, works, outcomes: new Array(works.length), tasks: [], ended: false, fail };
    const onAbort = (): void => {
      this.interrupted = true;
      fail(signal?.reason instanceof CaptiousError ? signal.reason : cancelled());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      // A failure ends the call at once, even if other results are pending.
      return await Promise.race([this.gather(call), failed]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.end(call);
    }
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      await Promise.all([...this.workers.values()].map((worker) => worker.stop(grace)));
      // After the grace period, pending tasks count as cancelled.
      this.failed([...this.pending.values()], cancelled());
      this.meter.finish();
      await (await this.store)?.close({ tidy: !this.interrupted });
      await this.identities.flush();
    })();
    return this.closing;
  }

  begin(): void {
    this.meter.begin();
  }

  held(): boolean {
    return this.unwritten > unwrittenLimit;
  }

  async arrived(tasks: readonly Task[], outcomes: readonly Outcome<Value>[]): Promise<void> {
    const records: StoreRecord[] = [];
    for (const [i, task] of tasks.entries()) {
      let outcome = outcomes[i];
      if (outcome.ok && (await this.identities.changed(task))) {
        outcome = { ok: false, problem: say('bench.imageChanged'), unreadable: true };
      }
      this.pending.delete(task.id);
      this.recent.set(task.id, outcome);
      if (outcome.ok && task.kept && outcome.fleeting !== true)
        records.push({ key: task.key, payload: encodeValue(outcome.value) });
      task.resolve(outcome);
    }
    this.meter.measured(tasks.length);
    const store = await this.store;
    if (store === undefined || records.length === 0) return;
    const bytes = records.reduce((sum, { payload }) => sum + payload.length + recordOverhead, 0);
    this.unwritten += bytes;
    await store.put(records);
    const held = this.held();
    this.unwritten -= bytes;
    if (held) for (const worker of this.workers.values()) worker.wake();
  }

  failed(tasks: readonly Task[], error: unknown): void {
    for (const task of tasks) {
      this.pending.delete(task.id);
      task.reject(error);
    }
  }

  private async gather(call: Call): Promise<Outcome<Value>[]> {
    const lane = this.laneOf(call.evaluator);
    const fixed: Task[] = [];
    for (let from = 0; from < call.works.length; from += piece) {
      const added = await this.lookUp(call, from, Math.min(from + piece, call.works.length));
      if (call.ended) return [];
      if (call.evaluator.fixedBatches === undefined) lane.add(added);
      else append(fixed, added);
    }
    if (fixed.length > 0) lane.addFixed(fixed, call.evaluator.fixedBatches!);
    await Promise.all(call.tasks.map(({ result }) => result));
    return call.outcomes;
  }

  /** Looks up the items `from` to `to` of a call. Returns tasks for the items that must be measured. */
  private async lookUp(call: Call, from: number, to: number): Promise<Task[]> {
    const { evaluator } = call;
    const works = call.works.slice(from, to);
    const identities = await this.identities.of(evaluator, works);
    if (call.ended) return [];
    await this.countCutPairs(evaluator, works);
    if (call.ended) return [];
    const unknown: { at: number; identity: Identity }[] = [];
    for (const [i, identity] of identities.entries()) {
      const at = from + i;
      if ('ok' in identity) call.outcomes[at] = identity;
      else if (!this.joinKnown(call, at, idOf(identity.key))) unknown.push({ at, identity });
      else if (call.outcomes[at]?.ok === true)
        this.countCut(evaluator, identity.key, call.outcomes[at].value);
    }
    const kept = await this.fromStore(evaluator, unknown);
    if (call.ended) return [];
    const added: Task[] = [];
    let found = 0;
    for (const [i, { at, identity }] of unknown.entries()) {
      const id = idOf(identity.key);
      const value = kept[i];
      if (value !== undefined) {
        call.outcomes[at] = { ok: true, value };
        if (this.recent.get(id) === undefined) found++;
        this.recent.set(id, call.outcomes[at]);
        this.countCut(evaluator, identity.key, value);
      } else if (!this.joinKnown(call, at, id)) {
        const task = new Task(id, identity.key, call.works[at], isKept(evaluator), identity.imageSha256);
        task.result.then(
          (outcome) => outcome.ok && this.countCut(evaluator, task.key, outcome.value),
          () => undefined,
        );
        this.pending.set(id, task);
        this.join(call, at, task);
        added.push(task);
      }
    }
    this.meter.asked(added.length);
    this.meter.found(found);
    return added;
  }

  /** Uses a result in memory, or waits for a result in progress. Returns false if neither exists. */
  private joinKnown(call: Call, at: number, id: string): boolean {
    const remembered = this.recent.get(id);
    if (remembered !== undefined) {
      call.outcomes[at] = remembered;
      return true;
    }
    const task = this.pending.get(id);
    if (task !== undefined) this.join(call, at, task);
    return task !== undefined;
  }

  private join(call: Call, at: number, task: Task): void {
    task.wanted++;
    call.tasks.push(task);
    task.result.then((outcome) => {
      call.outcomes[at] = outcome;
    }, call.fail);
  }

  private end(call: Call): void {
    call.ended = true;
    for (const task of call.tasks) {
      task.wanted--;
      // Drops a task that has not started if no call waits for it.
      if (task.wanted === 0 && task.home?.delete(task)) this.pending.delete(task.id);
    }
  }

  private async fromStore(
    evaluator: Evaluator,
    unknown: readonly { identity: Identity }[],
  ): Promise<(Value | undefined)[]> {
    if (unknown.length === 0 || !isKept(evaluator) || this.options.store === undefined) return [];
    const { store, stores } = this.options;
    this.store ??= Store.open(store, (message) => this.warn(message), stores);
    const payloads = await (await this.store).get(unknown.map(({ identity }) => identity.key));
    return payloads.map((payload) => (payload === undefined ? undefined : decodeValue(payload)));
  }

  /** Counts the truncated texts of pairs in a request of its own, because a score does not reveal it. */
  private async countCutPairs(evaluator: Evaluator, works: readonly Work[]): Promise<void> {
    const texts = works.flatMap((work) => (work.kind === 'pair' ? [work.text] : []));
    if (texts.length === 0 || evaluator.measureTexts === undefined) return;
    const sizes = await evaluator.measureTexts(texts);
    texts.forEach(
      (text, i) =>
        sizes[i].cut && this.cuts.note(evaluator, createHash('sha256').update(text, 'utf16le').digest()),
    );
  }

  private countCut(evaluator: Evaluator, key: Buffer, value: Value): void {
    if (value.kind === 'vector' && value.cut) this.cuts.note(evaluator, key);
  }

  private laneOf(evaluator: Evaluator): BatchWorker {
    let worker = this.workers.get(evaluator);
    if (worker === undefined) {
      // A judge's answers are slow and expensive, so each answer is stored on arrival.
      const { batchSize = evaluator.batchSize } = this.options;
      const limits = {
        ...this.limits,
        ...(batchSize === undefined ? {} : { texts: batchSize, images: batchSize }),
        ...(evaluator.info.kind === 'judge' ? { images: 1 } : {}),
      };
      this.workers.set(evaluator, (worker = new BatchWorker(evaluator, limits, this)));
    }
    return worker;
  }

  private warn(message: string): void {
    this.warned = true;
    this.options.onWarning?.(message);
  }
}

/** Whether the store keeps an evaluator's results. External scores are in memory already. */
function isKept({ info, kept = true }: Evaluator): boolean {
  return kept && info.kind !== 'scores';
}

function idOf(key: Buffer): string {
  return key.toString('latin1');
}
