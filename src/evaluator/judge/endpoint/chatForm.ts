import {
  list,
  nullable,
  number,
  object,
  optional,
  optionalOrNull as maybe,
  record,
  type Shape,
  ShapeError,
  text,
} from '../../../base/shape';
import type { ChatAnswer, ChatQuestion, ChatToken, PromptToken } from '../chat';
import { contentOf } from '../content';
import type { Dialect } from './dialect';

/* Requests and answers of OpenAI's chat completions, and of vLLM's prompt log-probabilities. */

/** A log-probability, which rounding may raise slightly above 0. Some servers write −∞ as null. */
const logProbability: Shape<number> = (value, at) => {
  if (value === null) return -Infinity;
  const logprob = number(value, at);
  if (logprob > 1e-3) throw new ShapeError(at, 'a log-probability');
  return Math.min(0, logprob);
};

const alternatives = list(object({ token: text, logprob: logProbability }));

export const answerShape = object({
  model: maybe(text),
  choices: list(
    object({
      message: object({ content: maybe(text), refusal: maybe(text) }),
      finish_reason: maybe(text),
      logprobs: maybe(
        object({ content: maybe(list(object({ token: text, top_logprobs: optional(alternatives) }))) }),
      ),
    }),
  ),
  usage: maybe(object({ prompt_tokens: maybe(number), completion_tokens: maybe(number) })),
  prompt_logprobs: maybe(
    list(nullable(record(object({ logprob: logProbability, decoded_token: maybe(text) })))),
  ),
});
export type Body = ReturnType<typeof answerShape>;

export interface FormOptions {
  model: string;
  maxTokens: number;
  temperature: number;
  seed?: number;
  effort?: string;
}

export function requestOf(question: ChatQuestion, options: FormOptions, dialect: Dialect): object {
  const { orders, text: said, image, schema, probabilities, reply, repeat = 0 } = question;
  const { model, seed, effort, temperature } = options;
  return {
    model,
    ...(dialect.temperature ? { temperature } : {}),
    ...(seed === undefined || !dialect.seed ? {} : { seed: seed + repeat }),
    [dialect.limit]: question.maxTokens ?? options.maxTokens,
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    messages: [
      ...(orders === undefined ? [] : [{ role: 'system', content: orders }]),
      { role: 'user', content: contentOf(said, image) },
      ...(reply === undefined ? [] : [{ role: 'assistant', content: reply }]),
    ],
    ...(schema === undefined || dialect.format === 'none'
      ? {}
      : { response_format: responseFormat(dialect.format, schema) }),
    ...(probabilities ? { logprobs: true, top_logprobs: question.alternatives ?? 20 } : {}),
    // `prompt_logprobs: 0` means that the server lists only the prompt's own tokens, without alternatives.
    ...(reply === undefined
      ? {}
      : { prompt_logprobs: 0, add_generation_prompt: false, continue_final_message: true }),
  };
}

function responseFormat(format: 'json_schema' | 'json_object', schema: object): object {
  if (format === 'json_object') return { type: format };
  return { type: format, json_schema: { name: 'answer', strict: true, schema } };
}

/** The parts of an answer except the text and the model's name, which the caller reads. */
export function partsOf({ choices: [choice], usage, prompt_logprobs: prompt }: Body): Partial<ChatAnswer> {
  const tokens = (choice.logprobs?.content ?? []).map(({ token, top_logprobs: alternatives }): ChatToken => ({
    token,
    alternatives: alternatives ?? [],
  }));
  const own = prompt?.map((place): PromptToken => {
    const [token] = place === null ? [] : Object.values(place);
    return token === undefined ? { token: '' } : { token: token.decoded_token ?? '', logprob: token.logprob };
  });
  return {
    ...(tokens.some(({ alternatives }) => alternatives.length > 0) ? { tokens } : {}),
    ...(own === undefined ? {} : { prompt: own }),
    ...(choice.finish_reason === 'length' ? { cut: true } : {}),
    ...(usage ? { usage: { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 } } : {}),
  };
}
