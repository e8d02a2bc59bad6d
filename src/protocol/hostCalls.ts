import { bytes, choice, flag, object, optional, type Shaped, text, union } from '../base/shape';

/* What the process of an audit cannot do itself and asks of the editor, and what it is granted. */

export const hostCall = union({
  /** Leave to send pictures and captions to an endpoint, on these terms. */
  consent: { terms: text },
  /** A key, by the name that an evaluator file gives it. */
  key: { name: text },
  /** Which language model of the editor is meant. */
  model: { name: text },
  chat: {
    model: text,
    orders: text,
    text,
    picture: object({ mime: choice('image/png', 'image/jpeg'), bytes }),
  },
});
export type HostCall = Shaped<typeof hostCall>;

export const grant = union({
  consent: { given: flag },
  key: { key: optional(text) },
  model: { model: object({ id: text, vendor: text, family: text, version: text, name: text }) },
  said: { text },
  /** The model gave no answer; `blocked`: nor will it give another for now. */
  unanswered: { trouble: text, blocked: flag },
});
export type Grant = Shaped<typeof grant>;
