import { Reason } from '../../base/errors';
import type { Outcome } from '../../base/outcome';

/** An encoded image to send to a chat model. */
export interface ChatImage {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** The instructions for the model, kept separate from `text`. */
  orders?: string;
  /** The user's message, such as a caption to judge. */
  text: string;
  /** Absent if the question is about text only. */
  image?: ChatImage;
  /** The JSON Schema of the answer. Absent if the answer is plain text. */
  schema?: object;
  /** Whether to request the token probabilities of the answer. */
  probabilities: boolean;
  /** How many of the most probable tokens to request at each position of the answer; 20 by default. */
  alternatives?: number;
  /** A given answer. The server returns the log-probability of each token of this answer. */
  reply?: string;
  /** The most tokens of this question's answer. The default is the endpoint's `maxTokens`. */
  maxTokens?: number;
  /** The number of the repeat. It is added to the seed, so that the answers to a repeated question can differ. */
  repeat?: number;
}

/** One token of an answer, with the most probable tokens at its position. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

/** One token of a prompt. The first token has no log-probability. */
export interface PromptToken {
  token: string;
  logprob?: number;
}

/** The number of tokens in a request and in its answer, as the server counts them. */
export interface ChatUsage {
  input: number;
  output: number;
}

export interface ChatAnswer {
  text: string;
  /** The model's name in the server's answer. It may be more specific than the requested name. */
  model?: string;
  /** Absent if the server returns no probabilities. */
  tokens?: readonly ChatToken[];
  /** The tokens of the prompt, if the question has a `reply` and the server returns their probabilities. */
  prompt?: readonly PromptToken[];
  /** Whether no JSON format was requested. A Markdown code block may then surround the answer. */
  plain?: boolean;
  /** Whether the token limit truncated the answer. */
  cut?: boolean;
  usage?: ChatUsage;
}

/**
 * A chat model without history. It throws a ChatProblem if only this question failed, and a CaptiousError if
 * all further questions would fail.
 */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Reason {}
/** Turns a ChatProblem into a failed outcome, because the model may answer other questions. */
export async function outcomeOf(score: Promise<Outcome<number>>): Promise<Outcome<number>> {
  try {
    return await score;
  } catch (error) {
    if (error instanceof ChatProblem) return { ok: false, problem: error.what };
    throw error;
  }
}
