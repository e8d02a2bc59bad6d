import { english } from '../../base/english';
import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { Exit } from '../../base/childProcess';
import { cancelled, type CaptiousError, interruptedError } from '../../base/errors';
import { say } from '../../base/say';
import type { Runner, Runners } from '../../process/runnerClient';
import type { PanelProgress } from '../../protocol/panel';
import { type AuditOrder, fromRunner, type FromRunner } from '../../protocol/runner';
import { viewFor } from '../../probe/views';
import type { FinishedRun } from './throughput';
import { type RunRecord, titleOf } from './runRecord';

type Told<T extends FromRunner['type']> = Extract<FromRunner, { type: T }>;

/** Milliseconds from the cancellation of a run until its process is killed. */
const cancelGraceMs = 900;
/** If a resumed run lasts this many milliseconds, Captious assumes that the run does not crash the window. */
const provenMs = 60_000;
/** The most problems of dataset entries that a run writes to the log. The report counts all entries with errors. */
const problemsLogged = 50;

export interface ActiveRunParts {
  runners: Runners;
  log: vscode.LogOutputChannel;
  onChange: () => void;
  onProgress: () => void;
  /** Requests an immediate save of the record. */
  keep: () => void;
  onEnd: (end: End) => void;
}

export interface End {
  cancelled: boolean;
  /** Why the run did not finish; undefined if it finished. */
  failure: Error | undefined;
  seen: Omit<FinishedRun, 'seconds'> | undefined;
  /** How long the run took. */
  seconds: number;
  partialMetrics: PanelProgress['partialMetrics'];
}

/** A running audit: its process, its progress and its metrics so far. */
export class ActiveRun {
  progress: PanelProgress | undefined;
  private readonly child: Runner;
  private readonly stop = new AbortController();
  private outcome: Promise<void> = Promise.resolve();
  private seen: End['seen'];
  /** The latest partial metrics. They may belong to the previous probe. */
  private partialMetrics: Told<'partialMetrics'> | undefined;
  private failure: Error | undefined;
  private problems = 0;
  private readonly since = Date.now();

  constructor(
    readonly record: RunRecord,
    private readonly parts: ActiveRunParts,
  ) {
    this.child = parts.runners.take({
      onMessage: (value) => {
        this.hear(fromRunner(value, ''));
      },
      onExit: (how) => {
        if (how.words !== '') parts.log.debug(how.words);
        void this.outcome.then(() => {
          if (record.state !== 'done') this.failure ??= endedEarly(how);
          const { failure, seen } = this;
          const partialMetrics = this.progress?.partialMetrics;
          const seconds = (Date.now() - this.since) / 1000;
          parts.onEnd({ cancelled: this.stop.signal.aborted, failure, seen, seconds, partialMetrics });
        });
      },
    });
  }

  /** Starts the audit. The process exits when the audit ends. */
  start(order: AuditOrder): void {
    this.outcome = this.child.calls.ask('audit', { order }, { signal: this.stop.signal }).then(
      () => {
        this.record.state = 'done';
      },
      (error: unknown) => {
        this.failure = error as Error;
      },
    );
  }

  cancel(): void {
    this.stop.abort(cancelled());
    this.child.killAfter(cancelGraceMs);
  }

  kill(): void {
    this.child.kill();
  }

  private hear(message: FromRunner): void {
    const { record, parts } = this;
    switch (message.type) {
      case 'started':
        parts.log.info(`${message.probe.title}: ${message.format}`);
        record.titles = [...record.titles.filter(({ id }) => id !== message.probe.id), message.probe];
        return;
      case 'progress':
        this.hearProgress(message);
        if (record.takenUp !== undefined && Date.now() - this.since > provenMs) {
          record.takenUp = undefined;
          parts.keep();
        }
        parts.onProgress();
        return;
      case 'partialMetrics':
        this.partialMetrics = message;
        if (this.progress !== undefined)
          this.progress = { ...this.progress, ...this.standingsOf(message.probe) };
        parts.onProgress();
        return;
      case 'problem':
        if (++this.problems <= problemsLogged)
          parts.log.warn(
            `${basename(record.dataset)}${message.line === undefined ? '' : `:${message.line}`}: ${english(message.message)}`,
          );
        return;
      case 'notice':
        parts.log.info(message.message);
        return;
      case 'report':
        record.reports.push(basename(message.path));
        parts.onChange();
        return;
    }
  }

  private hearProgress({ probe, progress }: Told<'progress'>): void {
    const { fraction, examples, rate, secondsLeft } = progress;
    this.seen = progress;
    this.progress = {
      ...this.standingsOf(probe),
      label: titleOf(this.record, probe),
      examples,
      fraction,
      rate,
      secondsLeft,
    };
  }

  private standingsOf(probe: string): Pick<PanelProgress, 'partialMetrics'> {
    if (this.partialMetrics?.probe !== probe) return {};
    const figures = this.partialMetrics.partialMetrics;
    const cards = viewFor(probe).cards(figures.at(0)?.metrics ?? []);
    return { partialMetrics: { probe, cards, figures } };
  }
}

/** The error of a run whose process ended before the run. */
export function endedEarly({ code, signal }: Exit): CaptiousError {
  const how =
    signal === null ? say('editor.runProcessExited', String(code)) : say('editor.runProcessKilled', signal);
  return interruptedError(how, say('editor.resumeRun'));
}
