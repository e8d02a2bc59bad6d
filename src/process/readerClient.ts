import type { AnswerOf, Asking, AskOf, CallContext } from '../base/calls';
import { type Exit, Service } from '../base/childProcess';
import { type CaptiousError, interruptedError } from '../base/errors';
import { say } from '../base/say';
import { type Allowed, readerRequests } from '../protocol/service';
import { type RowAnswer, type RowAsk, type RowRequest, scoring } from '../protocol/rows';

type Requests = typeof readerRequests;

export interface ReaderHost {
  home: () => string;
  isTrusted: () => boolean;
  /** `scores`: whether the request needs evaluators. Only then are evaluators listed, because that is slow. */
  allowed: (scores: boolean) => Promise<Allowed>;
  /** Throws in an untrusted workspace. Called before requests for images or scores, and for a new session. */
  needTrust: () => void;
  /** The name of the person who judges variants; absent where nobody does. With `asks`, the person is asked once; undefined if cancelled. */
  judge?: (asks: boolean) => Promise<string | undefined>;
}

/** Requests that are sent only in a trusted workspace. */
const trusting: readonly string[] = [
  'read',
  'sessionImage',
  'sample',
  'datasetImage',
] satisfies (keyof Requests)[];

/** The editor's client of the reading process. */
export class Reader extends Service<typeof readerRequests> {
  constructor(
    script: string,
    private readonly host: ReaderHost,
  ) {
    // The process keeps indexes of reports in the home folder of the settings.
    super(() => ({ script, requests: readerRequests, lost, env: { CAPTIOUS_HOME: host.home() } }));
  }

  /** Adds the workspace's current trust to every request. */
  override async ask<N extends keyof Requests>(
    name: N,
    ask: Omit<AskOf<Requests, N>, 'trusted'>,
    context?: Asking,
  ): Promise<AnswerOf<Requests, N>> {
    if (trusting.includes(name)) this.host.needTrust();
    return super.ask(name, { ...ask, trusted: this.host.isTrusted() } as AskOf<Requests, N>, context);
  }

  /** Sends a request about a report's rows. `evaluators` are the run's evaluators, if recorded here. */
  async rows<N extends RowRequest>(
    name: N,
    ask: RowAsk<N>,
    images: readonly string[],
    { evaluators = [], ...context }: Partial<CallContext> & { evaluators?: readonly string[] } = {},
  ): Promise<RowAnswer<N>> {
    if (name === 'image' || scoring.includes(name)) this.host.needTrust();
    const allowed = await this.allowed(evaluators, scoring.includes(name));
    const judge = name === 'judge' ? await this.judge(ask as RowAsk<'judge'>) : undefined;
    const scope = { images: [...images], home: this.host.home(), allowed, ...(judge && { judge }) };
    const answer = await this.ask(name, { ...ask, ...scope }, context);
    return name === 'judge' && !this.host.isTrusted()
      ? (fixed(answer as RowAnswer<'judge'>) as RowAnswer<N>)
      : answer;
  }

  /** Scores the examples that are now on the given lines of a file, with the probe and the options of a report. */
  async rescore(
    asked: Omit<AskOf<Requests, 'rescore'>, 'home' | 'allowed'>,
    evaluators: readonly string[],
  ): Promise<AnswerOf<Requests, 'rescore'>> {
    const allowed = await this.allowed(evaluators, true);
    return this.ask('rescore', { ...asked, home: this.host.home(), allowed });
  }

  /** The influence of each word of a caption on its score by the evaluator of a report. */
  async wordInfluence(
    asked: Omit<AskOf<Requests, 'wordInfluence'>, 'home' | 'allowed'>,
    evaluators: readonly string[],
    context?: Asking,
  ): Promise<AnswerOf<Requests, 'wordInfluence'>> {
    this.host.needTrust();
    const allowed = await this.allowed(evaluators, true);
    return this.ask('wordInfluence', { ...asked, home: this.host.home(), allowed }, context);
  }

  async export(asked: Omit<AskOf<Requests, 'export'>, 'trusted' | 'allowed'>): Promise<void> {
    await this.ask('export', { ...asked, allowed: await this.allowed([], false) });
  }

  async paper(
    asked: Omit<AskOf<Requests, 'paper'>, 'trusted' | 'allowed'>,
    context?: Asking,
  ): Promise<AnswerOf<Requests, 'paper'>> {
    return this.ask('paper', { ...asked, allowed: await this.allowed([], false) }, context);
  }

  private judge({ pick }: RowAsk<'judge'>): Promise<string | undefined> {
    if (pick !== undefined) this.host.needTrust();
    return Promise.resolve(this.host.judge?.(pick !== undefined));
  }

  private async allowed(evaluators: readonly string[], scores: boolean): Promise<Allowed> {
    const allowed = await this.host.allowed(scores);
    return { ...allowed, evaluators: [...new Set([...evaluators, ...allowed.evaluators])] };
  }
}

function fixed(lines: RowAnswer<'judge'>): RowAnswer<'judge'> {
  return lines && lines.map((line) => ({ ...line, fixed: true }));
}

function lost({ cause, words }: Exit): CaptiousError {
  const how = words === '' ? say('process.readerEnded') : say('process.readerEndedWithOutput', words);
  const late = say('process.readerTimeout');
  return interruptedError(cause?.code === 'stalled' ? late : how, say('process.retry'));
}
