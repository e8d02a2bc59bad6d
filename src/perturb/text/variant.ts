/**
 * - `paraphrase`: says the same in other words;
 * - `flip`: says something else about the picture, by the paper's rule;
 * - `combined`: a paraphrase that was then flipped;
 * - `beyond`: a flip that the paper does not have, kept apart from its figures.
 */
export type TextFamily = 'paraphrase' | 'flip' | 'combined' | 'beyond';

export const flipTypes = ['color', 'number', 'object'] as const;
export type FlipType = (typeof flipTypes)[number];

/** From the first UTF-16 unit up to, not including, the second. */
export type Span = readonly [from: number, to: number];

/** A changed caption. */
export interface TextVariant {
  text: string;
  family: TextFamily;
  /** template, passive, synonym or restructure; color, number or object; or the kind of a flip beyond the paper. */
  kind: string;
  /** The one rule of the kind that fired, for the slices. */
  rule: string;
  /** What is new in `text`, and what it stands for in the text it was made from. */
  span: Span;
  was: Span;
  /** Of a combined variant: which paraphrase was flipped, as an index into the caption's variants. */
  of?: number;
}

const wordUnit = /[\p{L}\p{M}\p{N}_'’-]/u;

/** Where two texts differ: everything between their common beginning and their common end, widened to whole words. */
export function changedSpans(before: string, after: string): { was: Span; span: Span } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const inWord = (text: string, at: number) =>
    at > 0 && at < text.length && wordUnit.test(text[at - 1]) && wordUnit.test(text[at]);
  while (start > 0 && (inWord(before, start) || inWord(after, start))) start--;
  while (tail > 0 && (inWord(before, before.length - tail) || inWord(after, after.length - tail))) tail--;
  return { was: [start, before.length - tail], span: [start, after.length - tail] };
}

/** A variant whose span is found by comparing it with the text it was made from. */
export function variantOf(
  before: string,
  text: string,
  made: { family: TextFamily; kind: string; rule: string; of?: number },
): TextVariant {
  return { text, ...made, ...changedSpans(before, text) };
}
