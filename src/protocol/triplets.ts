import { choice, list, object, optional, type Shaped, text } from '../base/shape';

/** A candidate for the second positive or the negative, with its origin in words. */
export const candidate = object({ text, from: text });
export type Candidate = Shaped<typeof candidate>;

export const statuses = ['open', 'accepted', 'rejected'] as const;
export type Status = (typeof statuses)[number];

/** The status and the captions that the annotator gave an item. */
export const decision = object({
  status: choice(...statuses),
  caption: text,
  second: text,
  negative: text,
});
export type Decision = Shaped<typeof decision>;

export const halfFields = {
  id: text,
  image: optional(text),
  /** The mined caption. Edits are in the decision. */
  caption: text,
  positives: list(candidate),
  negatives: list(candidate),
};
export const item = object({ ...halfFields, decision });
export type Item = Shaped<typeof item>;
