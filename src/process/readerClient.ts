import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import { errorOf } from '../protocol/failure';
import {
  type Allowed,
  type EvaluatorEntry,
  type CheckedFile,
  fromReader,
  type FromReader,
  type DatasetPreview,
  type ToReader,
} from '../protocol/processes';
import type { AnswerTo, Ask } from '../protocol/rows';
import { Child } from './child';

const deadlineMs = 60_000;

interface Waiting {
  resolve: (message: FromReader) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id' | 'trusted'> : never;

/** What the reading process needs to know of the editor it serves. */
export interface ReaderHost {
  home: () => string;
  isTrusted: () => boolean;
  /** `scores`: whether evaluators are needed, which takes a search. */
  allowed: (scores: boolean) => Promise<Allowed>;
  /** Throws where nothing may be scored and no image may be opened. */
  needTrust: () => void;
}

/** The reading process, from this side: started by the first question, and again after it was lost. */
export class Reader {
  private child: Child<FromReader, ToReader> | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly script: string,
    private readonly host: ReaderHost,
  ) {}

  /** `evaluators`: what the user ordered the run with, where this machine has its record. */
  async ask<A extends Ask>(
    ask: A,
    images: readonly string[],
    evaluators: readonly string[] = [],
  ): Promise<AnswerTo<A['type']>> {
    if (ask.type === 'photo' || ask.type === 'whatIf') this.host.needTrust();
    const allowed = await this.allowed(evaluators, ask.type === 'whatIf');
    const home = this.host.home();
    const message = await this.request({ type: 'ask', ask, images: [...images], home, allowed });
    if (message.type !== 'answer' || message.answer.type !== ask.type) throw unexpected(message);
    return message.answer as AnswerTo<A['type']>;
  }

  async look(path: string, images: readonly string[]): Promise<DatasetPreview | null> {
    const message = await this.request({ type: 'look', path, images: [...images] });
    if (message.type !== 'preview') throw unexpected(message);
    return message.preview;
  }

  async evaluators(home: string, folders: readonly string[]): Promise<EvaluatorEntry[]> {
    const message = await this.request({ type: 'evaluators', home, folders: [...folders] });
    if (message.type !== 'evaluators') throw unexpected(message);
    return message.entries;
  }

  async export(report: string, form: string, target: string): Promise<void> {
    await this.request({ type: 'export', report, form, target });
  }

  async check(
    path: string,
    images: readonly string[],
    home: string,
    evaluator?: string,
  ): Promise<CheckedFile> {
    const message = await this.request({ type: 'check', path, images: [...images], home, evaluator });
    if (message.type !== 'checked') throw unexpected(message);
    return message.checked;
  }

  /** What a dataset file holds and what is wrong with it. */
  async inspect(path: string, images: readonly string[]): Promise<unknown> {
    return jsonOf(await this.request({ type: 'inspect', path, images: [...images] }));
  }

  /** Two reports of one probe, metric by metric and row by row. */
  async compare(report: string, other: string): Promise<unknown> {
    return jsonOf(await this.request({ type: 'compare', report, other }));
  }

  /** Scores what stands on these lines of `file` now, as the report scored what stood there. */
  async rescore(
    report: string,
    file: string,
    lines: readonly number[],
    images: readonly string[],
    evaluators: readonly string[],
  ): Promise<Pick<Extract<FromReader, { type: 'rescored' }>, 'marks' | 'leftOut'>> {
    const home = this.host.home();
    const message = await this.request({
      type: 'rescore',
      report,
      file,
      lines: [...lines],
      images: [...images],
      home,
      allowed: await this.allowed(evaluators, true),
    });
    if (message.type !== 'rescored') throw unexpected(message);
    return message;
  }

  private async allowed(evaluators: readonly string[], scores: boolean): Promise<Allowed> {
    const allowed = await this.host.allowed(scores);
    return { ...allowed, evaluators: [...new Set([...evaluators, ...allowed.evaluators])] };
  }

  dispose(): void {
    this.child?.kill();
  }

  private request(question: Unnumbered<ToReader>): Promise<FromReader> {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(lost(say`The process that reads files did not answer in time.`));
        // Whatever holds it up would hold up the next question as well.
        this.child?.kill();
      }, deadlineMs);
      this.waiting.set(id, { resolve, reject, timer });
      const message = { ...question, id, trusted: this.host.isTrusted() };
      this.start().send(message);
    });
  }

  private start(): Child<FromReader, ToReader> {
    this.child ??= new Child<FromReader, ToReader>(this.script, {
      check: fromReader,
      onMessage: (message) => {
        const waiting = this.waiting.get(message.id);
        if (waiting === undefined) return;
        this.waiting.delete(message.id);
        clearTimeout(waiting.timer);
        if (message.type === 'refused') waiting.reject(errorOf(message.failure));
        else waiting.resolve(message);
      },
      onExit: ({ words }) => {
        this.child = undefined;
        const error = lost(
          words === ''
            ? say`The process that reads files ended.`
            : say`The process that reads files ended: ${words}`,
        );
        for (const { reject, timer } of this.waiting.values()) {
          clearTimeout(timer);
          reject(error);
        }
        this.waiting.clear();
      },
    });
    return this.child;
  }
}

function lost(what: Words): CaptiousError {
  return new CaptiousError('interrupted', what, { remedy: say`Try again.` });
}

function jsonOf(message: FromReader): unknown {
  if (message.type !== 'json') throw unexpected(message);
  return JSON.parse(message.json);
}

function unexpected(message: FromReader): Error {
  return new Error(`The reading process answered "${message.type}" to another question.`);
}
