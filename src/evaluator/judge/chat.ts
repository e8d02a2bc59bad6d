/** An image in the form in which a chat model receives it. */
export interface ChatPicture {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** The instructions, separate from the content to judge. */
  orders?: string;
  /** The content that the model judges. */
  text: string;
  /** Absent for a judge that sees no image. */
  picture?: ChatPicture;
  /** The JSON Schema of the answer; absent for plain text. */
  schema?: object;
  /** Whether to request the probabilities of the answer's tokens. */
  probabilities: boolean;
  /** How many probable tokens to request for each place of the answer; 20 by default. */
  alternatives?: number;
  /** A fixed answer. The server returns the log-probabilities of its tokens, and the model adds nothing. */
  reply?: string;
  /** Replaces the endpoint's limit for this question. */
  maxTokens?: number;
  /** Added to the endpoint's seed, so that repeats of a question differ. */
  repeat?: number;
}

/** One token of an answer, with its alternatives. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

/** One token of a prompt; the first has no probability. */
export interface PromptToken {
  token: string;
  logprob?: number;
}

/** How many tokens a request took, as the server counts them. */
export interface ChatUsage {
  input: number;
  output: number;
}

export interface ChatAnswer {
  text: string;
  /** The model's name in the answer, which may be more specific than the requested one. */
  model?: string;
  /** Absent if the model returns no probabilities. */
  tokens?: readonly ChatToken[];
  /** The prompt's tokens, if the question has a reply and the server returns their probabilities. */
  prompt?: readonly PromptToken[];
  /** Whether the token limit cut off the answer. */
  cut?: boolean;
  usage?: ChatUsage;
}

/**
 * A stateless chat model with vision. A ChatProblem means that this question failed but others may succeed; a
 * CaptiousError means that none will.
 */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Error {}
