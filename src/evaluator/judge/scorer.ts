import { say, type Words } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { Evaluator, EvaluatorInfo } from '../evaluator';
import { Engine } from '../native/engine';
import { whyDecodingEnded } from '../native/lost';
import { needsConsent } from '../remote/consent';
import {
  type ChatAnswer,
  type ChatModel,
  type ChatImage,
  ChatProblem,
  type ChatQuestion,
  outcomeOf,
} from './chat';
import { editorScheme } from './editorModels';
import { Gate } from './endpoint/gate';
import type { JudgeMemory } from './judgeMemory';
import { repeatOf } from './repeats';
import { cost, type Price, UsageMeter } from './endpoint/usage';

export interface ScorerSpec {
  id: string;
  name: string;
  path?: string;
  /** The endpoint's name in reports, questions and hashes, without secrets. */
  endpoint: string;
  model: string;
  /** The longest side of sent images in pixels, and their file format. */
  side: number;
  format: 'png' | 'jpeg';
  /** The largest number of concurrent requests. */
  concurrency: number;
  /** Other settings that affect answers, such as the answer format. */
  settings: unknown;
  notes: readonly Words[];
  /** The name of the key's environment variable. Consent covers the endpoint together with this name. */
  keyName?: string;
  /** Dollars per million tokens, if the file states the price. */
  price?: Price;
}

export type Ask = (question: ChatQuestion) => Promise<ChatAnswer>;

/** How a kind of evaluator prompts the model, and how it reads the answers. */
export interface Manner {
  sha256: string;
  low?: number;
  high?: number;
  notes: readonly Words[];
  /** Scores one caption. If it throws a ChatProblem, the pair has no score. */
  score(image: ChatImage | undefined, caption: string, ask: Ask): Promise<Outcome<number>>;
  /** Whether the evaluator sends no image. */
  blind?: boolean;
  /** What is sent, for the consent question. */
  sends?: Words;
  /** Tests the endpoint before any pair is scored. Returns a note for every report. */
  test(ask: Ask): Promise<Words>;
  /** The number of requests for each pair, and for the test. */
  requests: { pair: number; test: number };
  /** The approximate number of tokens per request, without the image. */
  tokens: { input: number; output: number };
}

export interface ScorerParts {
  memory: JudgeMemory;
  consented: boolean;
  /** Whether requests are written to a file instead of being sent. */
  writes?: boolean;
  /** The result of an earlier test. Absent if the endpoint must still be tested. */
  known?: Words;
  /** Seconds per answer in an earlier run. */
  pace?: number;
  gate?: Gate;
  onNotice?: (message: string) => void;
  /** Returns notes that became known during the run. */
  laterNotes?: () => readonly Words[];
}

export interface PreparedScorer {
  spec: ScorerSpec;
  manner: Manner;
  model: ChatModel;
  parts: ScorerParts;
}

/** An approximation, because models use different numbers of tokens for an image. */
const tokensPerImage = 1000;

/**
 * The name under which a consent is stored. It includes the name of the key's variable, because consent to
 * send one key must not allow sending another.
 */
export function consentName({ endpoint, keyName }: ScorerSpec): string {
  return keyName === undefined ? endpoint : `${endpoint} with the key in ${keyName}`;
}

/** Encodes an image for the model. */
export async function sentImage(
  engine: Engine,
  image: ImageItem,
  { side, format }: Pick<ScorerSpec, 'side' | 'format'>,
  signal: AbortSignal,
): Promise<Outcome<ChatImage>> {
  const [file] = await engine.run('sendable', { images: [image], side, format }, signal);
  return file.ok
    ? { ok: true, value: { mime: format === 'png' ? 'image/png' : 'image/jpeg', bytes: file.value } }
    : file;
}

/** Scores one caption. If only this question fails, the pair has no score and the run continues. */
export async function scoreOfPair(
  manner: Manner,
  imageOf: () => Promise<Outcome<ChatImage>>,
  caption: string,
  ask: Ask,
): Promise<Outcome<number>> {
  const image = manner.blind === true ? undefined : await imageOf();
  if (image?.ok === false) return image;
  return outcomeOf(manner.score(image?.value, caption, ask));
}

export class ChatScorer implements Evaluator {
  readonly info: EvaluatorInfo;
  readonly parallel: number;
  readonly consent: NonNullable<Evaluator['consent']>;
  private readonly notes: Words[];
  private readonly engine = new Engine({ lost: whyDecodingEnded });
  private readonly answeredAs = new Set<string>();
  private readonly closing = new AbortController();
  private readonly gate: Gate;
  private readonly usage: UsageMeter;
  private tested: Promise<void> | undefined;

  private readonly spec: ScorerSpec;
  private readonly manner: Manner;
  private readonly model: ChatModel;
  private readonly parts: ScorerParts;

  constructor({ spec, manner, model, parts }: PreparedScorer) {
    this.spec = spec;
    this.manner = manner;
    this.model = model;
    this.parts = parts;
    const { id, name, path, endpoint, side, format } = spec;
    const { memory, known, gate = new Gate(spec.concurrency), onNotice } = parts;
    const { low, high, sha256 } = manner;
    this.gate = gate;
    this.usage = new UsageMeter(spec.model, spec.price, onNotice);
    this.notes = [
      ...manner.notes,
      ...(manner.blind === true ? [] : [say('judge.imagesSentAs', format.toUpperCase(), side)]),
      ...spec.notes,
      ...(known === undefined ? [] : [known]),
    ];
    if (known !== undefined) this.tested = Promise.resolve();
    const { notes } = this;
    this.info = {
      id,
      name,
      kind: 'judge',
      ...(path === undefined ? {} : { path }),
      sha256,
      scores: ['image-text'],
      precision: 'as served',
      provider: endpoint,
      scale: {
        name: 'own',
        ...(low === undefined ? {} : { low }),
        ...(high === undefined ? {} : { high }),
      },
      prefix: '',
      get notes() {
        return [...notes, ...(parts.laterNotes?.() ?? [])];
      },
    };
    this.parallel = this.gate.most;
    let given = parts.consented;
    this.consent = {
      endpoint,
      get given() {
        return given;
      },
      terms: (pairs) => this.terms(pairs),
      give: async () => {
        given = true;
        await memory.consent(consentName(spec));
      },
    };
  }

  async scorePairs(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]> {
    if (!this.consent.given) throw needsConsent(this.consent);
    if (pairs.length === 0) return [];
    const both = signal === undefined ? this.closing.signal : AbortSignal.any([signal, this.closing.signal]);
    this.tested ??= this.test(both).catch((error: unknown) => {
      this.tested = undefined;
      throw error;
    });
    await this.tested;
    return Promise.all(pairs.map(({ image, text }) => this.gate.run(() => this.scoreOne(image, text, both))));
  }

  private async scoreOne(image: ImageItem, text: string, signal: AbortSignal): Promise<Outcome<number>> {
    const { caption, repeat } = repeatOf(text);
    const { spec, manner, engine } = this;
    const toSend = (): Promise<Outcome<ChatImage>> => sentImage(engine, image, spec, signal);
    return scoreOfPair(manner, toSend, caption, this.asker(signal, repeat));
  }

  /** The first question, as `manner` asks it. */
  async requestFor(text: string): Promise<string> {
    const asked: ChatQuestion[] = [];
    const ask: Ask = (question) => {
      asked.push(question);
      return Promise.reject(new ChatProblem('the question is only shown'));
    };
    await this.manner.score(undefined, repeatOf(text).caption, ask).catch((error: unknown) => {
      if (!(error instanceof ChatProblem)) throw error;
    });
    const [{ orders, text: said, reply }] = asked;
    const { side, format } = this.spec;
    const image = this.manner.blind === true ? '' : `[image: ${format.toUpperCase()}, at most ${side} px]\n`;
    return [
      ...(orders === undefined ? [] : [`[system]\n${orders}`]),
      `[user]\n${image}${said}`,
      ...(reply === undefined ? [] : [`[assistant]\n${reply}`]),
    ].join('\n\n');
  }

  async close(): Promise<void> {
    this.closing.abort();
    const { pace } = this.usage;
    if (pace !== undefined) await this.parts.memory.keepPace(this.info.sha256, pace);
    await this.engine.close();
  }

  private asker(signal: AbortSignal, repeat = 0): Ask {
    return async (question) => {
      const answer = await this.model.ask(repeat === 0 ? question : { ...question, repeat }, signal);
      this.noteModel(answer.model);
      this.usage.count(answer.usage);
      return answer;
    };
  }

  private noteModel(said: string | undefined): void {
    if (said === undefined || said === this.spec.model || this.answeredAs.has(said)) return;
    this.answeredAs.add(said);
    this.notes.push(say('judge.modelNamedInAnswers', said.slice(0, 100)));
  }

  private async test(signal: AbortSignal): Promise<void> {
    const ask = this.asker(signal);
    let isAnswered = true;
    const found = await this.manner.test((question) =>
      ask(question).catch((error: unknown) => {
        isAnswered = false;
        throw error;
      }),
    );
    if (this.parts.writes === true && !isAnswered) return;
    this.notes.push(found);
    await this.parts.memory.keepCanary(this.info.sha256, found);
  }

  private terms(pairs: number | undefined): Words {
    const { endpoint, model, price, keyName } = this.spec;
    const { requests, tokens, blind = false, sends = say('judge.sendsCaptionsImages') } = this.manner;
    const { pace } = this.parts;
    const receiver = keyName === undefined ? endpoint : say('judge.endpointWithKey', endpoint, keyName);
    if (pairs === undefined)
      return say('judge.termsEach', sends, receiver, model, requests.pair, requests.test);
    const all = pairs * requests.pair;
    const input = all * ((blind ? 0 : tokensPerImage) + tokens.input);
    const estimate =
      price === undefined
        ? endpoint.startsWith(editorScheme)
          ? say('judge.costOfPlan')
          : say('judge.costOfEndpoint')
        : say('judge.costAbout', cost({ input, output: all * tokens.output }, price));
    return say(
      'judge.termsAtMost',
      ...[
        sends,
        receiver,
        model,
        all.toLocaleString('en'),
        requests.test,
        Math.ceil(input / 1000).toLocaleString('en'),
      ],
      pace === undefined
        ? estimate
        : say('judge.costAndTime', estimate, Math.ceil((all * pace) / 60).toLocaleString('en')),
    );
  }
}
