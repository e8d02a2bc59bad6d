import { bytes, choice, flag, nullable, object, optional, text, union, words } from '../base/shape';
import type { AskOf } from '../base/calls';

/** Requests of an audit's process to the editor. They have no deadline, because some wait for the user. */
export const hostRequests = {
  /**
   * Asks for consent to `terms`. If `runs` is true, they are about running code; if false, about sending data. The runs of
   * an experiment file ask once for an endpoint.
   */
  consent: {
    ask: object({ terms: words, runs: flag, endpoint: text, experiment: optional(text) }),
    answer: flag,
  },
  /** The API key of this name, from the editor's secret storage or the user. Null if neither has the key. */
  key: { ask: object({ name: text }), answer: nullable(text) },
  /** Finds one of the editor's language models by name. */
  model: {
    ask: object({ name: text }),
    answer: object({ id: text, vendor: text, family: text, version: text, name: text }),
  },
  chat: {
    ask: object({
      model: text,
      orders: text,
      text,
      image: object({ mime: choice('image/png', 'image/jpeg'), bytes }),
    }),
    answer: union({
      said: { text },
      /** The model did not answer. `blocked`: retries would fail, too. */
      unanswered: { trouble: text, blocked: flag },
    }),
  },
};
export type ChatAsk = AskOf<typeof hostRequests, 'chat'>;
