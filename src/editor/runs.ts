import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../base/errors';
import type { PanelProgress } from '../protocol/panel';
import { type AuditOrder, errorOf, fromRunner, type FromRunner, type ToRunner } from '../protocol/processes';
import { readReport } from '../report/report';
import { Child } from './child';
import { figureOf, sentenceOf } from './figure';
import type { Pace, Seen } from './pace';
import { type RecordStore, type RunRecord, titleOf } from './record';
import { needTrust } from './trust';

/** A cancelled run is asked to stop, and made to after this long. */
const cancelGraceMs = 900;
/** Problems of single entries shown in the log for one run; the report counts them all. */
const problemsLogged = 50;

export type RunOrder = Pick<RunRecord, 'dataset' | 'probes' | 'evaluators' | 'images' | 'seed' | 'limit'>;

interface Active {
  record: RunRecord;
  child: Child<FromRunner, ToRunner>;
  progress?: PanelProgress;
  /** Where the figures of the probe at work stand. */
  standings?: Extract<FromRunner, { type: 'standings' }>;
  /** As the run told it last. */
  seen?: Seen;
  cancelled: boolean;
}

/** Every run of this workspace, and the queue of those that wait. One goes on at a time: they share the processor. */
export class Runs implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<RunRecord | undefined>();
  /** A run was added, removed or is in another state; undefined: several. */
  readonly onDidChange = this.changed.event;
  private readonly progressed = new vscode.EventEmitter<RunRecord>();
  readonly onDidProgress = this.progressed.event;
  private records: RunRecord[] = [];
  private active: Active | undefined;
  private readonly waiting: RunRecord[] = [];
  private readonly ends = new Map<string, (record: RunRecord) => void>();
  private loading: Promise<void> | undefined;

  constructor(
    private readonly store: RecordStore,
    private readonly script: string,
    private readonly home: () => string,
    private readonly pace: Pace,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Reads what earlier windows left. A run that was going on then is interrupted now. */
  load(): Promise<void> {
    this.loading ??= (async () => {
      const records = await this.store.load((path, why) => {
        this.log.warn(`${path}: ${messageOf(why)}`);
      });
      const known = new Set(this.records.map(({ id }) => id));
      for (const record of records) {
        if (known.has(record.id)) continue;
        if (record.state === 'running' || record.state === 'queued') {
          record.state = 'interrupted';
          await this.store.save(record);
        }
        this.records.push(record);
      }
      this.changed.fire(undefined);
    })();
    return this.loading;
  }

  get all(): readonly RunRecord[] {
    return this.records;
  }

  byId(id: string): RunRecord | undefined {
    return this.records.find((record) => record.id === id);
  }

  /** The newest finished run over a dataset. */
  latest(dataset: string): RunRecord | undefined {
    return this.records.find((record) => record.dataset === dataset && record.state === 'done');
  }

  progressOf(record: RunRecord): PanelProgress | undefined {
    return this.active?.record === record ? this.active.progress : undefined;
  }

  reportPaths(record: RunRecord): string[] {
    return record.reports.map((name) => join(this.store.folderOf(record.id), name));
  }

  folderOf(record: RunRecord): string {
    return this.store.folderOf(record.id);
  }

  /** Adds a run to the queue; `ended` resolves in whatever state it ends. */
  async start(order: RunOrder): Promise<{ record: RunRecord; ended: Promise<RunRecord> }> {
    needTrust();
    await this.load();
    const now = Date.now();
    const record: RunRecord = {
      ...order,
      id: `${now.toString(36)}-${randomBytes(4).toString('hex')}`,
      state: 'queued',
      createdAt: now,
      reports: [],
      titles: [],
    };
    this.records.unshift(record);
    return { record, ended: this.enqueue(record) };
  }

  /** Takes a run up again where it stopped: what was encoded is found in the store. */
  resume(record: RunRecord): Promise<RunRecord> {
    needTrust();
    if (record.state === 'queued' || record.state === 'running')
      throw new CaptiousError('usage', 'This run is already going on.');
    record.reports = [];
    record.problem = undefined;
    record.figure = undefined;
    record.sentence = undefined;
    record.endedAt = undefined;
    return this.enqueue(record);
  }

  cancel(record: RunRecord): void {
    if (this.active?.record === record) {
      this.active.cancelled = true;
      this.active.child.send({ type: 'cancel' });
      this.active.child.killAfter(cancelGraceMs);
      return;
    }
    const at = this.waiting.indexOf(record);
    if (at < 0) return;
    this.waiting.splice(at, 1);
    void this.end(record, 'interrupted', undefined);
  }

  async remove(record: RunRecord): Promise<void> {
    if (record.state === 'running' || record.state === 'queued')
      throw new CaptiousError('usage', 'This run is going on.', { remedy: 'Cancel it first.' });
    this.records = this.records.filter((other) => other !== record);
    await this.store.remove(record.id);
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.active?.child.kill();
    this.changed.dispose();
    this.progressed.dispose();
  }

  private enqueue(record: RunRecord): Promise<RunRecord> {
    record.state = 'queued';
    const ended = new Promise<RunRecord>((resolve) => this.ends.set(record.id, resolve));
    this.waiting.push(record);
    this.changed.fire(record);
    void this.next();
    return ended;
  }

  private async next(): Promise<void> {
    if (this.active !== undefined) return;
    const record = this.waiting.shift();
    if (record === undefined) return;
    const last: { failure?: Error } = {};
    let problems = 0;
    const child = new Child<FromRunner, ToRunner>(this.script, {
      check: fromRunner,
      onMessage: (message) => {
        if (message.type === 'failed') last.failure = errorOf(message.failure);
        else if (message.type === 'problem' && ++problems > problemsLogged) return;
        else this.hear(record, message);
      },
      onExit: ({ code, signal, words }) => {
        const cancelled = this.active?.cancelled ?? false;
        const seen = this.active?.seen;
        this.active = undefined;
        if (words !== '') this.log.debug(words);
        const complete = record.state === 'done';
        if (complete && seen !== undefined) void this.pace.learn(record.evaluators, record.probes, seen);
        if (!complete && last.failure === undefined && !cancelled) {
          const how = signal === null ? `with code ${code}` : `by ${signal}`;
          last.failure = new CaptiousError('interrupted', `The run's process was ended ${how}.`, {
            remedy: 'Resume the run: what was encoded is kept.',
          });
        }
        void this.settle(record, complete, cancelled, last.failure).then(() => this.next());
      },
    });
    this.active = { record, child, cancelled: false };
    record.state = 'running';
    await this.keep(record);
    this.changed.fire(record);
    this.log.info(
      `Run ${record.id}: ${record.probes.join(', ')} with ${record.evaluators.join(', ')} over ${record.dataset}`,
    );
    child.send({ type: 'audit', order: this.orderOf(record) });
  }

  private orderOf(record: RunRecord): AuditOrder {
    const { dataset, probes, evaluators, images, seed, limit } = record;
    const order: AuditOrder = {
      dataset,
      probes,
      evaluators,
      images,
      out: this.folderOf(record),
      home: this.home(),
    };
    if (seed !== undefined) order.seed = seed;
    if (limit !== undefined) order.limit = limit;
    return order;
  }

  private hear(record: RunRecord, message: Exclude<FromRunner, { type: 'failed' }>): void {
    switch (message.type) {
      case 'started':
        this.log.info(`${message.probe.title}: ${message.format}`);
        record.titles = [...record.titles.filter(({ id }) => id !== message.probe.id), message.probe];
        return;
      case 'progress': {
        if (this.active?.record !== record) return;
        const { fraction, examples, rate, secondsLeft } = message.progress;
        this.active.seen = message.progress;
        this.active.progress = {
          ...this.standingsOf(message.probe),
          label: titleOf(record, message.probe),
          examples,
          fraction,
          rate,
          secondsLeft,
        };
        this.progressed.fire(record);
        return;
      }
      case 'standings':
        if (this.active?.record !== record) return;
        this.active.standings = message;
        if (this.active.progress !== undefined)
          this.active.progress = { ...this.active.progress, ...this.standingsOf(message.probe) };
        this.progressed.fire(record);
        return;
      case 'problem':
        this.log.warn(
          `${basename(record.dataset)}${message.line === undefined ? '' : `:${message.line}`}: ${message.message}`,
        );
        return;
      case 'notice':
        this.log.info(message.message);
        return;
      case 'report':
        record.reports.push(basename(message.path));
        this.changed.fire(record);
        return;
      case 'done':
        record.state = 'done';
        return;
    }
  }

  private standingsOf(probe: string): Pick<PanelProgress, 'standings'> {
    const told = this.active?.standings;
    return told?.probe === probe ? { standings: { probe, figures: told.standings } } : {};
  }

  private async settle(
    record: RunRecord,
    complete: boolean,
    cancelled: boolean,
    failure: Error | undefined,
  ): Promise<void> {
    if (complete) {
      const [first] = this.reportPaths(record);
      const report = first === undefined ? undefined : await readReport(first);
      record.figure = report && figureOf(report);
      record.sentence = report && sentenceOf(report);
      await this.end(record, 'done', undefined);
    } else if (cancelled || (failure instanceof CaptiousError && failure.kind === 'interrupted')) {
      await this.end(record, 'interrupted', cancelled ? undefined : failure);
    } else await this.end(record, 'failed', failure);
  }

  private async end(record: RunRecord, state: RunRecord['state'], failure: Error | undefined): Promise<void> {
    record.state = state;
    record.endedAt = Date.now();
    record.problem = failure && messageOf(failure);
    if (failure !== undefined)
      this.log.error(failure instanceof CaptiousError ? failure.describe() : failure);
    await this.keep(record);
    this.changed.fire(record);
    this.ends.get(record.id)?.(record);
    this.ends.delete(record.id);
  }

  private async keep(record: RunRecord): Promise<void> {
    try {
      await this.store.save(record);
    } catch (error) {
      this.log.error(`The run could not be written down: ${messageOf(error)}`);
    }
  }
}
