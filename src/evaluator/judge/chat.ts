/** An image as a chat model receives it. */
export interface ChatPicture {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** The instructions, separate from the content to judge. */
  orders?: string;
  /** The content to judge. */
  text: string;
  /** Absent for judges without images. */
  picture?: ChatPicture;
  /** The JSON Schema of the answer. Absent for plain text. */
  schema?: object;
  /** Whether to request the token probabilities of the answer. */
  probabilities: boolean;
  /** How many probable tokens to request per position; 20 by default. */
  alternatives?: number;
  /** A fixed answer, for which the server returns the tokens' log-probabilities. */
  reply?: string;
  /** Replaces the endpoint's limit for this question. */
  maxTokens?: number;
  /** Added to the endpoint's seed, because repeats of a question should differ. */
  repeat?: number;
}

/** One token of an answer, with its alternatives. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

/** One token of a prompt. The first token has no probability. */
export interface PromptToken {
  token: string;
  logprob?: number;
}

/** The tokens of a request by the server's count. */
export interface ChatUsage {
  input: number;
  output: number;
}

export interface ChatAnswer {
  text: string;
  /** The model's name in the answer, perhaps more specific than the requested name. */
  model?: string;
  /** Absent if the model returns no probabilities. */
  tokens?: readonly ChatToken[];
  /** The prompt's tokens, for a question with a reply and a server that returns probabilities. */
  prompt?: readonly PromptToken[];
  /** Whether the token limit truncated the answer. */
  cut?: boolean;
  usage?: ChatUsage;
}

/** A stateless chat model. A ChatProblem fails one question; a CaptiousError fails all further questions. */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Error {}
