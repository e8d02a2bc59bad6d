/** An image as it is sent to a chat model. */
export interface ChatPicture {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** Instructions, separate from the content to judge. */
  orders: string;
  /** The content to judge. */
  text: string;
  picture: ChatPicture;
  /** JSON Schema of the answer; absent: plain text. */
  schema?: object;
  /** Requests the probabilities of the answer's tokens. */
  probabilities: boolean;
}

/** One token of an answer, with its alternatives. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

export interface ChatAnswer {
  text: string;
  /** The model's own name for itself, which may be more specific. */
  model?: string;
  /** Absent if the model returns no probabilities. */
  tokens?: readonly ChatToken[];
}

/**
 * A stateless chat model with vision. A ChatProblem means that this question failed but others may work; a
 * CaptiousError means that none will.
 */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Error {}
