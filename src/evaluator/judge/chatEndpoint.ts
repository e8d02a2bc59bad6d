import { CaptiousError, cancelled, throwIfCancelled } from '../../base/errors';
import { list, nullable, number, object, optional, type Shape, ShapeError, text } from '../../base/shape';
import { parseJson } from '../../base/files/readJson';
import { say, type Words } from '../../base/say';
import { type ChatAnswer, type ChatModel, ChatProblem, type ChatQuestion, type ChatToken } from './chat';
import { contentOf } from './content';
import { bodyOf } from '../network';
import { SecretGuard } from '../secret';
import { Retry, Trouble } from './retry';

export interface EndpointOptions {
  /** The address for chat completions. */
  url: string;
  model: string;
  key?: string;
  /** The environment variable that contains the key. */
  keyName?: string;
  /** How to request a JSON answer. Servers differ in this. */
  format: 'json_schema' | 'json_object' | 'none';
  maxTokens: number;
  /** Sent with each request, so that a server that samples repeats its answer. */
  seed?: number;
  /** Time limit of one whole request, including the response body. */
  deadlineMs: number;
  /** The wait before the first retry. Each further retry doubles it. */
  firstWaitMs?: number;
  attempts?: number;
}

/** Longer than any valid answer. */
const longestAnswer = 4 << 20;
const answerShape = object({
  model: optional(nullable(text)),
  choices: list(
    object({
      message: object({ content: optional(nullable(text)), refusal: optional(nullable(text)) }),
      finish_reason: optional(nullable(text)),
      logprobs: optional(
        nullable(
          object({
            content: optional(
              nullable(
                list(
                  object({
                    token: text,
                    top_logprobs: optional(list(object({ token: text, logprob: finite() }))),
                  }),
                ),
              ),
            ),
          }),
        ),
      ),
    }),
  ),
});

/** A number that may be −∞, which servers write as null or as a very large number. */
function finite(): Shape<number> {
  return (value, at) => (value === null ? -Infinity : number(value, at));
}

/** Any server with OpenAI's chat completions, such as vLLM, llama.cpp, Ollama or a commercial one. */
export class ChatEndpoint implements ChatModel {
  private readonly retry: Retry;
  /** Hides the key, because a server may repeat it. */
  private readonly secret: SecretGuard;

  constructor(private readonly options: EndpointOptions) {
    const { url, key, attempts, firstWaitMs } = options;
    this.secret = new SecretGuard(key);
    this.retry = new Retry({
      at: shownUrl(url),
      remedy: say`Check the server and the address, then run again. Finished judgments are kept.`,
      attempts,
      firstWaitMs,
      hide: (message) => this.secret.hide(message),
    });
  }

  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer> {
    return this.retry.insist(() => this.once(question, signal), signal);
  }

  private async once(question: ChatQuestion, signal: AbortSignal | undefined): Promise<ChatAnswer> {
    throwIfCancelled(signal);
    const { url, key, deadlineMs } = this.options;
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
        body: JSON.stringify(this.request(question)),
        signal: stop.signal,
      });
      const endless = (): Error => new Trouble(say`The endpoint's answer is too long.`, { retries: 0 });
      const body = String(await bodyOf(response, longestAnswer, endless));
      if (response.status !== 200) throw this.refusal(response, body);
      return this.read(body);
    } catch (error) {
      if (error instanceof Trouble || error instanceof CaptiousError || error instanceof ChatProblem)
        throw error;
      if (signal?.aborted) throw cancelled();
      if (late)
        throw new Trouble(say`The endpoint did not answer within ${deadlineMs / 1000} seconds.`, {
          retries: 1,
        });
      // An endpoint that never answered probably does not exist, so it gets fewer retries.
      throw new Trouble(say`The endpoint cannot be reached: ${whyUnreached(error)}.`, {
        retries: this.retry.answered ? 5 : 2,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  private request({ orders, text: said, picture, schema, probabilities }: ChatQuestion): object {
    const { model, maxTokens, format, seed } = this.options;
    return {
      model,
      temperature: 0,
      ...(seed === undefined ? {} : { seed }),
      max_tokens: maxTokens,
      messages: [
        { role: 'system', content: orders },
        {
          role: 'user',
          content: contentOf(said, picture),
        },
      ],
      ...(schema === undefined || format === 'none'
        ? {}
        : { response_format: responseFormat(format, schema) }),
      ...(probabilities ? { logprobs: true, top_logprobs: 20 } : {}),
    };
  }

  private read(body: string): ChatAnswer {
    let answer: ReturnType<typeof answerShape>;
    try {
      answer = answerShape(parseJson(Buffer.from(body), { bytes: longestAnswer, parts: 1 << 17 }), '');
    } catch (error) {
      const why =
        error instanceof ShapeError || error instanceof CaptiousError
          ? error.message
          : say`The answer is not JSON.`;
      throw new Trouble(
        say`The endpoint's answer is not a chat completion. ${why} The answer begins: ${this.excerpt(body)}`,
        {
          retries: 1,
          remedy: say`Use the address of an OpenAI-compatible API, as in http://localhost:8000/v1.`,
        },
      );
    }
    const [choice] = answer.choices;
    if (choice === undefined) throw new Trouble(say`The endpoint's answer has no choices.`, { retries: 1 });
    const { message, logprobs } = choice;
    const content = message.content ?? '';
    if (content === '' && message.refusal) {
      this.retry.answered = true;
      throw new ChatProblem(`the model refused to answer: ${this.excerpt(message.refusal)}`);
    }
    const tokens = (logprobs?.content ?? []).map(({ token, top_logprobs: alternatives }) => ({
      token,
      alternatives: alternatives ?? [],
    }));
    return {
      text: this.secret.hide(content),
      ...(answer.model ? { model: this.secret.hide(answer.model) } : {}),
      ...(tokens.some(({ alternatives }) => alternatives.length > 0) && this.areOwn(tokens)
        ? { tokens }
        : {}),
    };
  }

  /** Whether the tokens contain no part of the key. */
  private areOwn(tokens: readonly ChatToken[]): boolean {
    const texts = [
      tokens.map(({ token }) => token).join(''),
      ...tokens.flatMap(({ alternatives }) => alternatives.map(({ token }) => token)),
    ].join('\n');
    return this.secret.hide(texts) === texts;
  }

  /** The response body, cut to one short line. */
  private excerpt(body: string): string {
    const line = this.secret
      .hide(body)
      .slice(0, 2000)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    return line === '' ? '(nothing)' : line.length > 200 ? `${line.slice(0, 200)}…` : line;
  }

  private refusal({ status, headers }: Response, body: string): Trouble {
    const { keyName, key, model } = this.options;
    if (status >= 300 && status < 400) {
      return new Trouble(say`The endpoint redirects to ${shownUrl(headers.get('location') ?? 'nowhere')}.`, {
        retries: 0,
        ends: true,
        remedy: say`Redirects are not followed, so that the key and images go only to the address you named. Set "endpoint" to the final address.`,
      });
    }
    if (status === 401 || status === 403) {
      const remedy =
        key === undefined
          ? say`Store the key in an environment variable, and put the variable's name into the evaluator file: "keyFrom": "MY_KEY".`
          : say`Check the key in the environment variable ${keyName ?? ''}.`;
      // Quotes nothing from the response, because servers often repeat the key in it.
      return new Trouble(
        say`The endpoint rejects ${key === undefined ? say`a request without a key` : say`the key`} (${status}).`,
        {
          retries: 0,
          ends: true,
          remedy,
        },
      );
    }
    const said = this.excerpt(body);
    if (status === 404)
      return new Trouble(
        say`The endpoint does not know this address or the model "${model}" (404): ${said}`,
        {
          retries: 0,
          ends: true,
          remedy: say`Check "endpoint", which usually ends in /v1, and "model".`,
        },
      );
    const afterMs = retryAfter(headers.get('retry-after'));
    if (status === 429)
      return new Trouble(say`The endpoint received too many requests (429): ${said}`, {
        retries: Infinity,
        ends: true,
        afterMs,
        remedy: say`Lower "concurrency", or run again later. Finished judgments are kept.`,
      });
    if (status >= 500 || status === 408)
      return new Trouble(say`The endpoint failed (${status}): ${said}`, { retries: Infinity, afterMs });
    return new Trouble(say`The endpoint rejects the request (${status}): ${said}`, {
      retries: 0,
      remedy: say`If the server does not support "response_format", set "format" to "json_object" or "none" in the evaluator file. If it does not support "seed", set "seed" to null.`,
    });
  }
}

function responseFormat(format: 'json_schema' | 'json_object', schema: object): object {
  if (format === 'json_object') return { type: format };
  return { type: format, json_schema: { name: 'answer', strict: true, schema } };
}

/** The wait in milliseconds. The header contains seconds or a date. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function whyUnreached(error: unknown): Words {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return say`the connection was refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say`the host name is unknown`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return say`the connection was closed`;
    default:
      return cause?.message ?? cause?.code ?? message ?? say`unknown network error`;
  }
}

/** The address without parts that may be secret: query, user name, password. */
export function shownUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname}`;
  } catch {
    return 'an invalid address';
  }
}
