import { CaptiousError, cancelled, throwIfCancelled } from '../../base/errors';
import { list, nullable, number, object, optional, type Shape, ShapeError, text } from '../../base/shape';
import { parseJson } from '../../base/files/readJson';
import { type ChatAnswer, type ChatModel, ChatProblem, type ChatQuestion } from './chat';
import { bodyOf } from '../network';
import { SecretGuard } from '../secret';
import { Retry, Trouble } from './retry';

export interface EndpointOptions {
  /** Where chat completions are asked for. */
  url: string;
  model: string;
  key?: string;
  /** What a person sets to give another key. */
  keyName?: string;
  /** How the wish for a JSON answer is put; servers differ. */
  format: 'json_schema' | 'json_object' | 'none';
  maxTokens: number;
  /** For one request, from its first byte to its last. */
  deadlineMs: number;
  /** The first wait before a request is made again; each further one is twice as long. */
  firstWaitMs?: number;
  attempts?: number;
}

/** More than an answer of a few words can be. */
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

/** Servers write −∞ as null or as a very large number. */
function finite(): Shape<number> {
  return (value, at) => (value === null ? -Infinity : number(value, at));
}

/** Any server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, and the commercial ones. */
export class ChatEndpoint implements ChatModel {
  private readonly retry: Retry;
  /** A server may repeat what it was sent. */
  private readonly secret: SecretGuard;

  constructor(private readonly options: EndpointOptions) {
    const { url, key, attempts, firstWaitMs } = options;
    this.secret = new SecretGuard(key);
    this.retry = new Retry({
      at: shownUrl(url),
      remedy:
        'Check that the server runs and that the address is right, then run it again: what was judged is kept.',
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
        // The key goes to the address that the person named and nowhere else.
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(this.request(question)),
        signal: stop.signal,
      });
      const endless = (): Error => new Trouble('The endpoint answers without end.', { retries: 0 });
      const body = String(await bodyOf(response, longestAnswer, endless));
      if (response.status !== 200) throw this.refusal(response, body);
      return this.read(body);
    } catch (error) {
      if (error instanceof Trouble || error instanceof CaptiousError || error instanceof ChatProblem)
        throw error;
      if (signal?.aborted) throw cancelled();
      if (late)
        throw new Trouble(`The endpoint did not answer within ${deadlineMs / 1000} seconds.`, { retries: 1 });
      // A server that never spoke is not there; one that did may have stumbled.
      throw new Trouble(`The endpoint cannot be reached: ${whyUnreached(error)}.`, {
        retries: this.retry.answered ? 5 : 2,
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  private request({ orders, text: said, picture, schema, probabilities }: ChatQuestion): object {
    const { model, maxTokens, format } = this.options;
    const url = `data:${picture.mime};base64,${Buffer.from(picture.bytes).toString('base64')}`;
    return {
      model,
      temperature: 0,
      max_tokens: maxTokens,
      messages: [
        { role: 'system', content: orders },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: said },
          ],
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
        error instanceof ShapeError || error instanceof CaptiousError ? error.message : 'It is no JSON.';
      throw new Trouble(
        `The endpoint's answer is no chat completion. ${why} It begins: ${this.excerpt(body)}`,
        {
          retries: 1,
          remedy: 'The address must be that of an OpenAI-compatible API, as in http://localhost:8000/v1.',
        },
      );
    }
    const [choice] = answer.choices;
    if (choice === undefined)
      throw new Trouble('The endpoint answered with no choice at all.', { retries: 1 });
    const { message, logprobs } = choice;
    const content = message.content ?? '';
    if (content === '' && message.refusal) {
      this.retry.answered = true;
      throw new ChatProblem(`the model refused to answer: ${this.excerpt(message.refusal)}`);
    }
    const tokens = logprobs?.content?.map(({ token, top_logprobs: alternatives }) => ({
      token,
      alternatives: alternatives ?? [],
    }));
    return {
      text: this.secret.hide(content),
      ...(answer.model ? { model: this.secret.hide(answer.model) } : {}),
      ...(tokens?.some(({ alternatives }) => alternatives.length > 0) ? { tokens } : {}),
    };
  }

  /** One short line of what the server wrote. */
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
      return new Trouble(
        `The endpoint sends elsewhere: to ${shownUrl(headers.get('location') ?? 'nowhere')}.`,
        {
          retries: 0,
          ends: true,
          remedy:
            'No redirect is followed, so that key and pictures go only where you said. Name the address itself.',
        },
      );
    }
    if (status === 401 || status === 403) {
      const remedy =
        key === undefined
          ? 'Put the key into an environment variable and name that variable in the file: "keyFrom": "MY_KEY".'
          : `Check the key in the environment variable ${keyName ?? ''}.`;
      // Servers like to repeat the key here: nothing is quoted.
      return new Trouble(
        `The endpoint refuses ${key === undefined ? 'a request without a key' : 'the key'} (${status}).`,
        {
          retries: 0,
          ends: true,
          remedy,
        },
      );
    }
    const said = this.excerpt(body);
    if (status === 404)
      return new Trouble(`The endpoint knows no such address or no model "${model}" (404): ${said}`, {
        retries: 0,
        ends: true,
        remedy: 'Check "endpoint", which usually ends in /v1, and "model".',
      });
    const afterMs = retryAfter(headers.get('retry-after'));
    if (status === 429)
      return new Trouble(`The endpoint has had too many requests (429): ${said}`, {
        retries: Infinity,
        ends: true,
        afterMs,
        remedy: 'Lower "concurrency", or run it again later: what was judged is kept.',
      });
    if (status >= 500 || status === 408)
      return new Trouble(`The endpoint failed (${status}): ${said}`, { retries: Infinity, afterMs });
    return new Trouble(`The endpoint refuses the question (${status}): ${said}`, {
      retries: 0,
      remedy: 'If it does not know "response_format", set "format": "json_object" or "none" in the file.',
    });
  }
}

function responseFormat(format: 'json_schema' | 'json_object', schema: object): object {
  if (format === 'json_object') return { type: format };
  return { type: format, json_schema: { name: 'answer', strict: true, schema } };
}

/** In milliseconds; seconds or a date. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function whyUnreached(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return 'nobody listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host is not known';
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'it hung up';
    default:
      return cause?.message ?? cause?.code ?? message ?? 'for no stated reason';
  }
}

/** Without what may be secret: a query, a name, a password. */
export function shownUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return `${origin}${pathname}`;
  } catch {
    return 'an address that is none';
  }
}
