import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf, usageError } from '../../base/errors';
import { say } from '../../base/say';
import type { Runners } from '../../process/runnerClient';
import type { PanelProgress } from '../../protocol/panel';
import { readReport, type Report } from '../../report/report';
import { auditOrderOf } from './auditOrder';
import { holderOf, RunLocks } from './runLocks';
import { summaryOf } from '../text/figure';
import { ActiveRun, type End } from './activeRun';
import type { HostAnswers } from './hostAnswers';
import { ResumableRuns } from './resumableRuns';
import type { Throughput } from './throughput';
import { clear, hasReports, isGoing, type RecordStore, type RunRecord } from './runRecord';
import { needTrust } from '../trust';
import { localized, trouble } from '../messages';

export type RunOrder = Pick<
  RunRecord,
  | 'dataset'
  | 'probes'
  | 'evaluators'
  | 'images'
  | 'seed'
  | 'draws'
  | 'limit'
  | 'cluster'
  | 'options'
  | 'python'
  | 'out'
  | 'experiment'
>;

export interface RunsParts {
  store: RecordStore;
  runners: Runners;
  home: () => string;
  /** Whether to resume unfinished runs of windows that have closed. */
  resumesRuns: () => boolean;
  throughput: Throughput;
  hostAnswers: HostAnswers;
  log: vscode.LogOutputChannel;
}

/** All runs of the workspace. A window executes them one after another, because runs share the processor. */
export class Runs implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<RunRecord | undefined>();
  /** Fires when runs were added, changed or removed. Without a run in the event, any run may have changed. */
  readonly onDidChange = this.changed.event;
  private readonly progressed = new vscode.EventEmitter<RunRecord>();
  readonly onDidProgress = this.progressed.event;
  private records: RunRecord[] = [];
  private active: ActiveRun | undefined;
  private readonly waiting: RunRecord[] = [];
  private readonly ends = new Map<string, (record: RunRecord) => void>();
  private loading: Promise<void> | undefined;
  private isOver = false;
  private readonly locks = new RunLocks();
  private readonly resumable: ResumableRuns;

  constructor(private readonly parts: RunsParts) {
    const { store, log } = parts;
    this.resumable = new ResumableRuns({
      holderOf: (record) => holderOf(store.folderOf(record.id)),
      read: (id) => store.read(id),
      wanted: parts.resumesRuns,
      resume: async (record) => {
        if (!(await this.locks.take(store.folderOf(record.id)))) return false;
        log.info(`Resuming run ${record.id}, whose window was closed.`);
        void this.again(record);
        return true;
      },
      leave: (record, why) => this.end(record, 'interrupted', why),
      replaced: (record, by) => {
        this.records = this.records.flatMap((known) =>
          known !== record ? [known] : by === undefined ? [] : [by],
        );
        this.changed.fire(undefined);
      },
      onProblem: (message) => log.error(message),
    });
  }

  /** Loads the records of all windows, and decides which unfinished runs to resume. */
  load(): Promise<void> {
    this.loading ??= (async () => {
      const records = await this.parts.store.load((path, why) =>
        this.parts.log.warn(`${path}: ${messageOf(why)}`),
      );
      this.records = records;
      this.parts.store.emptyTrash().catch((error: unknown) => this.parts.log.warn(messageOf(error)));
      await this.resumable.settle(records.filter(isGoing));
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

  latest(dataset: string): RunRecord | undefined {
    return this.records.find((record) => record.dataset === dataset && hasReports(record));
  }

  progressOf(record: RunRecord): PanelProgress | undefined {
    return this.active?.record === record ? this.active.progress : undefined;
  }

  /** The run that must end before a queued run starts. If another window queued the run, 'elsewhere'. */
  aheadOf(record: RunRecord): RunRecord | 'elsewhere' | undefined {
    const at = this.waiting.indexOf(record);
    if (at < 0) return record.state === 'queued' && !this.ends.has(record.id) ? 'elsewhere' : undefined;
    return at > 0 ? this.waiting[at - 1] : this.active?.record;
  }

  reportPaths(record: RunRecord): string[] {
    const folder = record.out ?? this.folderOf(record);
    return record.reports.map((name) => join(folder, name));
  }

  folderOf(record: RunRecord): string {
    return this.parts.store.folderOf(record.id);
  }

  /** Starts the process of the next run while the user still chooses. In Restricted Mode, nothing can run. */
  prepare(): void {
    if (vscode.workspace.isTrusted && this.active === undefined) this.parts.runners.prepare();
  }

  /** Adds a run to the queue. `ended` resolves when the run ends, even if the run fails. */
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
    await this.locks.take(this.folderOf(record));
    this.records.unshift(record);
    return { record, ended: this.enqueue(record) };
  }

  /** Resumes a run. Items that were already encoded come from the cache. */
  async resume(record: RunRecord): Promise<{ ended: Promise<RunRecord> }> {
    needTrust();
    const isMine = !isGoing(record) && (await this.locks.take(this.folderOf(record)));
    if (!isMine || isGoing(record)) throw new CaptiousError('usage', say('editor.runInProgress'));
    return { ended: this.again(record) };
  }

  cancel(record: RunRecord): void {
    if (this.resumable.isElsewhere(record))
      throw usageError(say('editor.runInOtherWindow'), say('editor.cancelInOtherWindow'));
    if (this.active?.record === record) {
      this.active.cancel();
      return;
    }
    const at = this.waiting.indexOf(record);
    if (at < 0) return;
    this.waiting.splice(at, 1);
    void this.end(record, 'interrupted', undefined);
  }

  async remove(record: RunRecord): Promise<void> {
    if (isGoing(record)) throw usageError(say('editor.runNotEnded'), say('editor.cancelRunFirst'));
    this.records = this.records.filter((other) => other !== record);
    await this.parts.store.discard(record.id);
    this.changed.fire(undefined);
  }

  async restore(id: string): Promise<void> {
    const record = await this.parts.store.restore(id);
    this.records = [...this.records, record].sort((a, b) => b.createdAt - a.createdAt);
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.isOver = true;
    this.resumable.dispose();
    this.locks.leave();
    this.active?.kill();
    this.parts.runners.dispose();
    this.changed.dispose();
    this.progressed.dispose();
  }

  private again(record: RunRecord): Promise<RunRecord> {
    clear(record);
    return this.enqueue(record);
  }

  private enqueue(record: RunRecord): Promise<RunRecord> {
    record.state = 'queued';
    const ended = new Promise<RunRecord>((resolve) => this.ends.set(record.id, resolve));
    this.waiting.push(record);
    this.changed.fire(record);
    void this.keep(record).then(() => this.next());
    return ended;
  }

  private async next(): Promise<void> {
    if (this.active !== undefined) return;
    const record = this.waiting.shift();
    if (record === undefined) {
      this.parts.hostAnswers.forget();
      return;
    }
    const active = new ActiveRun(record, {
      ...this.parts,
      onChange: () => this.changed.fire(record),
      onProgress: () => this.progressed.fire(record),
      keep: () => void this.keep(record),
      onEnd: (end) => {
        // The window is closing. The record stays "running", because the next window resumes runs in this
        // state.
        if (this.isOver) return;
        this.active = undefined;
        void this.settle(record, end).then(() => this.next());
      },
    });
    this.active = active;
    record.state = 'running';
    await this.keep(record);
    this.changed.fire(record);
    this.parts.log.info(
      `Run ${record.id}: ${record.probes.join(', ')} with ${record.evaluators.join(', ')} over ${record.dataset}`,
    );
    active.start(auditOrderOf(record, this.folderOf(record), this.parts.home()));
  }

  private async settle(
    record: RunRecord,
    { cancelled, failure, seen, seconds, partialMetrics }: End,
  ): Promise<void> {
    if (record.state === 'done') {
      const reports = await this.reportsOf(record);
      const drawsOf = (id: string) => reports.find(({ probe }) => probe === id)?.draws;
      const measured = record.probes.map((id) => ({ id, draws: drawsOf(id) }));
      if (seen !== undefined)
        void this.parts.throughput.learn(record.evaluators, measured, { ...seen, seconds });
      Object.assign(record, summaryOf(reports, localized));
      await this.end(record, 'done', undefined);
      return;
    }
    record.stopped = partialMetrics;
    if (cancelled || (failure instanceof CaptiousError && failure.kind === 'interrupted')) {
      await this.end(record, 'interrupted', cancelled ? undefined : failure);
    } else {
      try {
        const { names, sentences } = summaryOf(await this.reportsOf(record), localized);
        Object.assign(record, { names, sentences });
      } catch (error) {
        this.parts.log.warn(`The reports of the failed run cannot be read: ${messageOf(error)}`);
      }
      await this.end(record, 'failed', failure);
    }
  }

  reportsOf(record: RunRecord): Promise<Report[]> {
    return Promise.all(this.reportPaths(record).map(readReport));
  }

  private async end(record: RunRecord, state: RunRecord['state'], failure: Error | undefined): Promise<void> {
    record.state = state;
    record.endedAt = Date.now();
    record.takenUp = undefined;
    record.problem = failure && trouble(failure);
    if (failure !== undefined)
      this.parts.log.error(failure instanceof CaptiousError ? failure.describe() : failure);
    await this.keep(record);
    await this.locks.release(this.folderOf(record));
    this.changed.fire(record);
    this.ends.get(record.id)?.(record);
    this.ends.delete(record.id);
  }

  private async keep(record: RunRecord): Promise<void> {
    try {
      await this.parts.store.save(record);
    } catch (error) {
      this.parts.log.error(`The record of the run could not be saved: ${messageOf(error)}`);
    }
  }
}
