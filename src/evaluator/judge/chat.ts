/** An image in the form in which a chat model receives it. */
export interface ChatPicture {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** The instructions, separate from the content to judge. */
  orders: string;
  /** The content that the model judges. */
  text: string;
  /** Absent for a judge that sees no image. */
  picture?: ChatPicture;
  /** The JSON Schema of the answer; absent for plain text. */
  schema?: object;
  /** Whether to request the probabilities of the answer's tokens. */
  probabilities: boolean;
}

/** One token of an answer, with its alternatives. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

export interface ChatAnswer {
  text: string;
  /** The model's name in the answer, which may be more specific than the requested one. */
  model?: string;
  /** Absent if the model returns no probabilities. */
  tokens?: readonly ChatToken[];
}

/**
 * A stateless chat model with vision. A ChatProblem means that this question failed but others may succeed; a
 * CaptiousError means that none will.
 */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Error {}
