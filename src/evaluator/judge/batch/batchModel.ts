import { createHash } from 'node:crypto';
import { sha256Of } from '../../../base/files/sha256';
import { say } from '../../../base/say';
import { withoutEnd } from '../../../base/text/ends';
import { type ChatAnswer, type ChatModel, ChatProblem, type ChatQuestion } from '../chat';
import type { ChatEndpoint } from '../chatEndpoint';
import { type Body, partsOf } from '../endpoint/chatForm';

/** A request in OpenAI's batch form. */
export interface BatchRequest {
  custom_id: string;
  method: 'POST';
  url: '/v1/chat/completions';
  body: object;
}

/** The judge whose requests are written to a batch. */
export interface BatchedJudge {
  sha256: string;
  endpoint: string;
  model: string;
}

/** Judges write their requests here instead of sending them. */
export interface RequestSink {
  begin(judge: BatchedJudge): void;
  write(request: BatchRequest): Promise<void>;
}

/** The id of a request. It depends on everything that affects the answer. */
export function requestId(judge: string, question: ChatQuestion): string {
  const {
    orders,
    text,
    image: sent,
    schema,
    probabilities,
    alternatives,
    reply,
    maxTokens,
    repeat,
  } = question;
  const image =
    sent === undefined ? null : [sent.mime, createHash('sha256').update(sent.bytes).digest('hex')];
  const parts = [judge, orders, text, image, schema, probabilities, alternatives, reply, maxTokens, repeat];
  return `captious-${sha256Of(parts).slice(0, 40)}`;
}

/**
 * A chat model that uses the imported answers of batches. A question without an imported answer goes to the
 * sink if there is one, otherwise to the endpoint.
 */
export class BatchModel implements ChatModel {
  constructor(
    private readonly endpoint: ChatEndpoint,
    private readonly judge: string,
    private readonly answers: ReadonlyMap<string, Body>,
    private readonly sink: RequestSink | undefined,
  ) {}

  async ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer> {
    const id = requestId(this.judge, question);
    const body = this.answers.get(id);
    if (body !== undefined) return answerOf(body);
    if (this.sink === undefined) return this.endpoint.ask(question, signal);
    await this.sink.write({
      custom_id: id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: this.endpoint.request(question),
    });
    throw new ChatProblem(say('judge.requestInBatch'));
  }
}

/** Reads an answer. The token usage is left out, because imported answers cost the run nothing. */
function answerOf(body: Body): ChatAnswer {
  const [{ message }] = body.choices;
  const content = message.content ?? '';
  if (content === '' && message.refusal)
    throw new ChatProblem(say('judge.modelRefused', withoutEnd(message.refusal.slice(0, 200), /[.\s]/)));
  const answer: ChatAnswer = { ...partsOf(body), text: content, plain: true };
  if (body.model) answer.model = body.model;
  delete answer.usage;
  return answer;
}
