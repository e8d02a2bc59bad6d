import { choice, list, object, optional, type Shaped, text } from '../base/shape';

/** A text that might become a second positive or a negative, and how it was made, in words. */
export const candidate = object({ text, from: text });
export type Candidate = Shaped<typeof candidate>;

/** What somebody made of an item: the three captions as they stand now, and whether they count. */
export const decision = object({
  status: choice('open', 'accepted', 'rejected'),
  caption: text,
  second: text,
  negative: text,
});
export type Decision = Shaped<typeof decision>;

export const item = object({
  id: text,
  image: optional(text),
  /** As mined; edits are in the decision. */
  caption: text,
  positives: list(candidate),
  negatives: list(candidate),
  decision,
});
export type Item = Shaped<typeof item>;
