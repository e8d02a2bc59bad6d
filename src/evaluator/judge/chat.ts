/** A picture as it is sent to a chat model. */
export interface ChatPicture {
  mime: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

export interface ChatQuestion {
  /** Standing orders, kept apart from what is judged. */
  orders: string;
  /** What is judged. */
  text: string;
  picture: ChatPicture;
  /** The JSON Schema of the answer that is wanted; absent: plain text. */
  schema?: object;
  /** Ask for the probabilities of the answer's tokens. */
  probabilities: boolean;
}

/** One token of an answer, and what might have stood in its place. */
export interface ChatToken {
  token: string;
  alternatives: readonly { token: string; logprob: number }[];
}

export interface ChatAnswer {
  text: string;
  /** What the model calls itself, which may be more exact than what it was called. */
  model?: string;
  /** Absent where the model gives no probabilities. */
  tokens?: readonly ChatToken[];
}

/**
 * A chat model that sees pictures. One question, one answer, nothing remembered between two. It throws a ChatProblem
 * where this question got no answer and another may, and a CaptiousError where none will.
 */
export interface ChatModel {
  ask(question: ChatQuestion, signal?: AbortSignal): Promise<ChatAnswer>;
}

export class ChatProblem extends Error {}
