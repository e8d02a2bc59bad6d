import { bytes, choice, flag, nullable, object, text, union } from '../base/shape';
import type { AskOf } from '../base/calls';

/** What the process of an audit cannot do itself and asks of the editor. People answer some of it, who may take their time. */
export const hostRequests = {
  /** Leave to send pictures and captions to an endpoint, on these terms. */
  consent: { ask: object({ terms: text }), answer: flag },
  /** A key, by the name that an evaluator file gives it. */
  key: { ask: object({ name: text }), answer: nullable(text) },
  /** Which language model of the editor is meant. */
  model: {
    ask: object({ name: text }),
    answer: object({ id: text, vendor: text, family: text, version: text, name: text }),
  },
  chat: {
    ask: object({
      model: text,
      orders: text,
      text,
      picture: object({ mime: choice('image/png', 'image/jpeg'), bytes }),
    }),
    answer: union({
      said: { text },
      /** The model gave no answer; `blocked`: nor will it give another for now. */
      unanswered: { trouble: text, blocked: flag },
    }),
  },
};
export type ChatAsk = AskOf<typeof hostRequests, 'chat'>;
