import { createHash } from 'node:crypto';
import { CaptiousError } from '../../base/errors';
import { type ChatModel, type ChatPicture, ChatProblem } from './chat';
import { Engine } from '../native/engine';
import { needsConsent } from '../remote/consent';
import type { Outcome } from '../../base/outcome';
import { say } from '../../base/say';
import type { Evaluator, EvaluatorInfo } from '../evaluator';
import type { ImageItem } from '../../protocol/item';
import { blueSquare, canaryCaption, canaryNote, canaryOrder, canaryReference } from './canary';
import { answerSchema, answerSchema100, readFleur, readScore } from './judgeAnswer';
import type { JudgeMemory } from './judgeMemory';
import { comparisonText, fenced, fencedComparison, ordersOf, type ReferencePrompt } from './judgePrompt';

export interface JudgeSpec {
  kind: 'judge' | 'fleur';
  id: string;
  name: string;
  path?: string;
  /** Identifies the endpoint for users and in the store. It contains no secrets. */
  endpoint: string;
  model: string;
  rubric: string;
  /** Set if captions are compared with references. Texts are then those of `comparisonText`. */
  prompt?: ReferencePrompt;
  /** Images are sent in this format, and their longer side has at most this length. */
  side: number;
  format: 'png' | 'jpeg';
  /** How many requests may run at a time. */
  concurrency: number;
  /** Other settings that affect answers, such as the answer format. */
  settings: unknown;
  notes: readonly string[];
  /** The variable with the key for the endpoint. Consent covers both together. */
  keyName?: string;
  /** The price in dollars per million tokens, if the file gives it. */
  price?: { input: number; output: number };
}

/** Increase this when the prompt changes, so that stored answers are not reused. */
const judgeVersion = 1;
/** Only a rough value, because the token cost of an image differs between models. */
const tokensPerPicture = 1000;
const tokensPerAnswer = 12;
/** Five captions with their fences. */
const tokensPerReferences = 350;

/** An evaluator that asks a chat model with a rubric. */
export function createJudge(
  spec: JudgeSpec,
  model: ChatModel,
  memory: JudgeMemory,
  consented: boolean,
  known?: string,
): Evaluator {
  return new Judge(spec, model, memory, consented, known);
}

/**
 * The name under which consent is stored. It includes the key's name, so that a file cannot send a key
 * elsewhere without new consent.
 */
export function consentName({ endpoint, keyName }: JudgeSpec): string {
  return keyName === undefined ? endpoint : `${endpoint} with the key in ${keyName}`;
}

export function judgeSha256(spec: JudgeSpec): string {
  const { kind, endpoint, model, rubric, prompt, side, format, settings } = spec;
  return createHash('sha256')
    .update(
      JSON.stringify([
        judgeVersion,
        kind,
        endpoint,
        model,
        ordersOf(kind, rubric, prompt),
        prompt === undefined ? fenced('') : fencedComparison(comparisonText('', [''])),
        side,
        format,
        settings,
      ]),
    )
    .digest('hex');
}

class Judge implements Evaluator {
  readonly info: EvaluatorInfo;
  readonly parallel: number;
  readonly consent: NonNullable<Evaluator['consent']>;
  private readonly notes: string[];
  private readonly engine = new Engine();
  private readonly orders: string;
  private readonly answeredAs = new Set<string>();
  private readonly closing = new AbortController();
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private canary: Promise<void> | undefined;

  constructor(
    private readonly spec: JudgeSpec,
    private readonly model: ChatModel,
    private readonly memory: JudgeMemory,
    consented: boolean,
    known: string | undefined,
  ) {
    const { kind, id, name, path, endpoint, rubric, prompt, side, format } = spec;
    this.orders = ordersOf(kind, rubric, prompt);
    this.notes = [
      prompt === 'clair'
        ? `CLAIR's question to ${spec.model}: how likely a caption describes the same image as the references, 0 to 100, divided by 100, temperature 0. The model sees no image. The prompt is Captious's own, and asks for no reason.`
        : kind === 'judge'
          ? `Judge: ${spec.model} with a fixed rubric, 0 to 10, temperature 0.`
          : `${prompt === undefined ? 'FLEUR' : 'RefFLEUR'}'s smoothing of the answers of ${spec.model}, 0.0 to 1.0, temperature 0: each of the first two decimals is the sum of its digits times their probabilities. The prompt is Captious's own.`,
      ...(prompt === 'clair'
        ? []
        : [`Images are sent as ${format.toUpperCase()}, reduced if a side is longer than ${side}.`]),
      ...spec.notes,
      ...(known === undefined ? [] : [known]),
    ];
    if (known !== undefined) this.canary = Promise.resolve();
    this.info = {
      id,
      name,
      kind: 'judge',
      ...(path === undefined ? {} : { path }),
      sha256: judgeSha256(spec),
      scores: ['image-text'],
      precision: 'as served',
      provider: endpoint,
      scale: { name: 'own', low: 0, high: this.most() },
      prefix: '',
      notes: this.notes,
    };
    this.parallel = spec.concurrency;
    let given = consented;
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
    this.canary ??= this.tryCanary(both).catch((error: unknown) => {
      this.canary = undefined;
      throw error;
    });
    await this.canary;
    return Promise.all(pairs.map(({ image, text }) => this.inTurn(() => this.scoreOne(image, text, both))));
  }

  private async scoreOne(image: ImageItem, caption: string, signal: AbortSignal): Promise<Outcome<number>> {
    const { side, format, prompt } = this.spec;
    if (prompt === 'clair') return this.judge(undefined, caption, signal);
    const [file] = await this.engine.run('sendable', { images: [image], side, format }, signal);
    if (!file.ok) return file;
    const mime = format === 'png' ? 'image/png' : 'image/jpeg';
    return this.judge({ mime, bytes: file.value }, caption, signal);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.engine.close();
  }

  /** Retries once if the answer is invalid. If the second answer is invalid too, the pair has no score. */
  private async judge(
    picture: ChatPicture | undefined,
    caption: string,
    signal: AbortSignal,
  ): Promise<Outcome<number>> {
    try {
      const first = await this.once(picture, caption, signal);
      return first.ok ? first : await this.once(picture, caption, signal);
    } catch (error) {
      if (error instanceof ChatProblem) return { ok: false, problem: error.message };
      throw error;
    }
  }

  private async once(
    picture: ChatPicture | undefined,
    caption: string,
    signal: AbortSignal,
  ): Promise<Outcome<number>> {
    const { kind, prompt } = this.spec;
    const fleur = kind === 'fleur';
    const clair = prompt === 'clair';
    const answer = await this.model.ask(
      {
        orders: this.orders,
        text: prompt === undefined ? fenced(caption) : fencedComparison(caption),
        ...(picture === undefined ? {} : { picture }),
        ...(fleur ? {} : { schema: clair ? answerSchema100 : answerSchema }),
        probabilities: fleur,
      },
      signal,
    );
    this.noteModel(answer.model);
    if (clair) {
      const score = readScore(answer.text, 100);
      return score.ok ? { ok: true, value: score.value / 100 } : score;
    }
    if (!fleur) return readScore(answer.text);
    if (answer.tokens === undefined) {
      throw new CaptiousError(
        'evaluator',
        say`The endpoint returns no log-probabilities, which FLEUR needs.`,
        {
          at: this.spec.path ?? this.spec.endpoint,
          remedy: say`Use the kind "judge", or a server that returns them, such as vLLM or llama.cpp.`,
        },
      );
    }
    return readFleur(answer.text, answer.tokens);
  }

  /** Limits the number of concurrent calls. A finished call lets the next one start. */
  private async inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.running < this.spec.concurrency) this.running++;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await act();
    } finally {
      const next = this.queue.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }

  private noteModel(said: string | undefined): void {
    if (said === undefined || said === this.spec.model || this.answeredAs.has(said)) return;
    this.answeredAs.add(said);
    this.notes.push(`The endpoint names the model "${said.slice(0, 100)}" in its answers.`);
  }

  /** Tests whether a caption with instructions to the judge changes its score. Every report shows the result. */
  private async tryCanary(signal: AbortSignal): Promise<void> {
    const { prompt } = this.spec;
    const square = prompt === 'clair' ? undefined : { mime: 'image/png' as const, bytes: blueSquare() };
    const asked = (caption: string): string =>
      prompt === undefined ? caption : comparisonText(caption, [canaryReference]);
    const most = this.most();
    const order = canaryOrder(prompt === 'clair' ? 100 : most);
    const plain = await this.judge(square, asked(canaryCaption), signal);
    const bold = await this.judge(square, asked(`${canaryCaption} ${order}`), signal);
    const found = canaryNote(plain, bold, most);
    this.notes.push(found);
    await this.memory.keepCanary(this.info.sha256, found);
  }

  /** The highest score. */
  private most(): number {
    return this.spec.kind === 'judge' && this.spec.prompt === undefined ? 10 : 1;
  }

  private terms(pairs: number | undefined): string {
    const { endpoint, model, price, keyName, prompt } = this.spec;
    const what =
      prompt === undefined
        ? 'Captions and images'
        : prompt === 'clair'
          ? 'Captions and reference captions'
          : 'Captions, reference captions and images';
    const withKey = keyName === undefined ? '' : `, with the key in ${keyName},`;
    const sent = `${what} will be sent to ${endpoint}${withKey} for ${model} to score`;
    if (pairs === undefined)
      return `${sent}: a request for each pair (cached answers are reused) and two for a test.`;
    const perPicture = prompt === 'clair' ? 0 : tokensPerPicture;
    const perReferences = prompt === undefined ? 0 : tokensPerReferences;
    const input = pairs * (perPicture + perReferences + Math.ceil((this.orders.length + 250) / 4));
    const output = pairs * tokensPerAnswer;
    const cost =
      price === undefined
        ? 'the cost depends on the endpoint (set "price" in the file for an estimate)'
        : `about $${((input * price.input + output * price.output) / 1e6).toFixed(2)}`;
    return (
      `${sent}: at most ${pairs.toLocaleString('en')} requests ` +
      `(cached answers are reused) and two for a test, roughly ${Math.ceil(input / 1000).toLocaleString('en')} thousand tokens; ${cost}.`
    );
  }
}
