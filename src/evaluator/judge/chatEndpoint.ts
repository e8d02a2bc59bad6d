import { CaptiousError, cancelled, interruptedError, throwIfCancelled, wordsOf } from '../../base/errors';
import { ShapeError } from '../../base/shape';
import { parseJson } from '../../base/files/readJson';
import { say, type Words } from '../../base/say';
import { withoutEnd } from '../../base/text/ends';
import { type ChatAnswer, type ChatModel, ChatProblem, type ChatQuestion, type ChatToken } from './chat';
import { answerShape, partsOf, requestOf } from './endpoint/chatForm';
import { type Dialect, type Fixed, simpler } from './endpoint/dialect';
import { rejectionRemedy, whyUnreached } from './endpoint/reasons';
import { bodyOf } from '../network';
import { SecretGuard } from '../secret';
import { Retry, Trouble } from './retry';

export interface EndpointOptions {
  /** The address for chat completions. */
  url: string;
  model: string;
  key?: string;
  /** The name of the environment variable with the key. */
  keyName?: string;
  /** The variant of the chat API to try first. */
  dialect: Dialect;
  /** The parts of the dialect that must not change. */
  fixed?: Fixed;
  /** Called when the server rejected the dialect and another one is tried. */
  onDialect?: (dialect: Dialect) => void;
  /** Called when the server is overloaded or does not answer. */
  onBusy?: () => void;
  maxTokens?: number;
  temperature?: number;
  /** Sent if the server accepts a seed. With a fixed seed, a server that samples at random can repeat its answers. */
  seed?: number;
  effort?: string;
  /** The time limit of one request, including its response body. */
  deadlineMs: number;
  /** The most requests of a run, with retries. */
  mostRequests?: number;
  /** The longest backoff before the first retry. It doubles for each further retry, up to one minute. */
  firstWaitMs?: number;
  attempts?: number;
}

/** The most bytes of a response. Valid responses are far shorter. */
const longestAnswer = 4 << 20;
/** The default token limits. The second one is for reasoning models and includes their reasoning. */
const usualTokens = { max_tokens: 64, max_completion_tokens: 8192 };

/** A chat model on a server with OpenAI's chat completions API, such as vLLM, llama.cpp, Ollama or OpenAI. */
export class ChatEndpoint implements ChatModel {
  private readonly retry: Retry;
  /** Removes the key from the server's texts, because the server may repeat the key. */
  private readonly secret: SecretGuard;
  private dialect: Dialect;
  private sent = 0;

  constructor(private readonly options: EndpointOptions) {
    const { url, key, attempts, firstWaitMs, onBusy, dialect } = options;
    this.dialect = dialect;
    this.secret = new SecretGuard(key);
    this.retry = new Retry({
      at: shownUrl(url),
      remedy: say('judge.checkServer'),
      attempts,
      firstWaitMs,
      onBusy,
      hide: (message) => this.secret.hide(message),
    });
  }

  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer> {
    return this.retry.insist(() => this.once(question, signal), signal);
  }

  private async once(question: ChatQuestion, signal: AbortSignal | undefined): Promise<ChatAnswer> {
    throwIfCancelled(signal);
    const { url, key, deadlineMs, mostRequests = Infinity } = this.options;
    if (++this.sent > mostRequests)
      throw interruptedError(
        say('judge.mostRequestsSent', mostRequests),
        say('judge.runAgainForMore'),
        shownUrl(url),
      );
    const { dialect } = this;
    const stop = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop.abort();
    }, deadlineMs);
    const cancel = (): void => stop.abort();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A redirect would send the key to an address that the user did not name.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(this.request(question, dialect)),
        signal: stop.signal,
      });
      const endless = (): Error => new Trouble(say('judge.answerTooLong'), { retries: 0 });
      const body = String(await bodyOf(response, longestAnswer, endless));
      if (response.status !== 200) throw this.refusal(response, body, question, dialect);
      return this.read(body);
    } catch (error) {
      if (error instanceof Trouble || error instanceof CaptiousError || error instanceof ChatProblem)
        throw error;
      if (signal?.aborted) throw cancelled();
      if (late)
        throw new Trouble(say('judge.endpointTimeout', deadlineMs / 1000), { retries: 1, slow: true });
      // An endpoint that never answered probably does not exist, so fewer retries are made.
      const { answered } = this.retry;
      throw new Trouble(say('judge.endpointUnreachable', whyUnreached(error)), {
        retries: answered ? 11 : 2,
        busy: answered,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Returns the JSON body of the request for a question. */
  request(question: ChatQuestion, dialect = this.dialect): object {
    const { model, maxTokens = usualTokens[dialect.limit], temperature = 0, seed, effort } = this.options;
    return requestOf(question, { model, maxTokens, temperature, seed, effort }, dialect);
  }

  private read(body: string): ChatAnswer {
    let answer: ReturnType<typeof answerShape>;
    try {
      answer = answerShape(parseJson(Buffer.from(body), { bytes: longestAnswer, parts: 1 << 17 }), '');
    } catch (error) {
      const isNamed = error instanceof ShapeError || error instanceof CaptiousError;
      const why = isNamed ? wordsOf(error) : say('judge.answerNotJson');
      throw new Trouble(say('judge.notChatCompletion', why, this.excerpt(body)), {
        retries: 1,
        remedy: say('judge.useCompatibleApi'),
      });
    }
    const [choice] = answer.choices;
    if (choice === undefined) throw new Trouble(say('judge.answerWithoutText'), { retries: 1 });
    const content = choice.message.content ?? '';
    if (content === '' && choice.message.refusal) {
      this.retry.answered = true;
      throw new ChatProblem(
        say('judge.modelRefused', this.excerpt(withoutEnd(choice.message.refusal, /[.\s]/))),
      );
    }
    const { tokens, ...parts } = partsOf(answer);
    return {
      ...parts,
      text: this.secret.hide(content),
      ...(this.dialect.format === 'none' ? { plain: true } : {}),
      ...(answer.model ? { model: this.secret.hide(answer.model) } : {}),
      ...(tokens !== undefined && this.areOwn(tokens) ? { tokens } : {}),
    };
  }

  /** Whether the tokens do not repeat the key. */
  private areOwn(tokens: readonly ChatToken[]): boolean {
    const texts = [
      tokens.map(({ token }) => token).join(''),
      ...tokens.flatMap(({ alternatives }) => alternatives.map(({ token }) => token)),
    ].join('\n');
    return this.secret.hide(texts) === texts;
  }

  /** Returns the response body as one short line without the key. */
  private excerpt(body: string): Words {
    const line = this.secret
      .hide(body)
      .slice(0, 2000)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    return line === '' ? say('judge.nothing') : line.length > 200 ? `${line.slice(0, 200)}…` : line;
  }

  /**
   * Chooses a simpler dialect after a rejection. Returns whether to send the request again. Once a request has
   * succeeded, the dialect is known to work, so each later rejection concerns only one question.
   */
  private adapt(dialect: Dialect, body: string): boolean {
    if (this.retry.answered) return false;
    // Another request has already chosen a simpler dialect.
    if (dialect !== this.dialect) return true;
    const next = simpler(dialect, this.options.fixed ?? {}, body.slice(0, 10_000));
    if (next === undefined) return false;
    this.dialect = next;
    this.options.onDialect?.(next);
    return true;
  }

  private refusal(
    { status, headers }: Response,
    body: string,
    question: ChatQuestion,
    dialect: Dialect,
  ): Trouble {
    const { url, keyName, key, model } = this.options;
    if (status >= 300 && status < 400) {
      const to = headers.get('location');
      const what =
        to === null
          ? say('judge.redirectWithoutAddress', status)
          : say('judge.endpointRedirects', shownUrl(to, url));
      return ended(what, say('judge.setFinalAddress'));
    }
    if (status === 401 || status === 403) {
      const [sent, remedy] =
        key === undefined
          ? [say('judge.keylessRequest'), say('judge.storeKeyInEnvironment')]
          : [say('judge.sentKey'), say('judge.checkKey', keyName ?? '')];
      // The response is not quoted, because servers often repeat the key.
      return ended(say('judge.authorisationRejected', sent, status), remedy);
    }
    const said = this.excerpt(body);
    if (status === 404)
      return ended(say('judge.modelOrAddressUnknown', model, said), say('judge.checkEndpointAndModel'));
    const afterMs = retryAfter(headers.get('retry-after'));
    if (status === 429 && /insufficient_quota/.test(body))
      return ended(say('judge.budgetExhausted', said), say('judge.checkBudget'));
    if (status === 429)
      return new Trouble(say('judge.tooManyRequests', said), {
        retries: Infinity,
        busy: true,
        ends: true,
        afterMs,
        remedy: say('judge.lowerConcurrency'),
      });
    // llama-cpp-python's server answers 500 for an unknown parameter value.
    const isRejected = [400, 415, 422].includes(status) || (status === 500 && /response_format/.test(body));
    if (isRejected && this.adapt(dialect, body))
      return new Trouble(say('judge.requestRejected', status, said), { again: true });
    if (status >= 500 || status === 408)
      return new Trouble(say('judge.endpointFailed', status, said), {
        retries: this.retry.answered && isBusy(status) ? 11 : Infinity,
        busy: this.retry.answered && isBusy(status),
        afterMs,
      });
    const remedy = rejectionRemedy(question);
    return new Trouble(say('judge.requestRejected', status, said), { retries: 0, remedy });
  }
}

/** The server's answer will not change, for this question or for others. */
function ended(what: Words, remedy: Words): Trouble {
  return new Trouble(what, { retries: 0, ends: true, remedy });
}

/** Proxies send these statuses while a server restarts. */
function isBusy(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The milliseconds that a Retry-After header (seconds or a date) demands; undefined without a valid header. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The address without what may be secret: query, user name and password. Relative addresses need `base`. */
export function shownUrl(url: string, base?: string): string {
  try {
    const { origin, pathname } = new URL(url, base);
    return `${origin}${pathname}`;
  } catch {
    return 'an invalid address';
  }
}
