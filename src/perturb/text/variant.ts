/** `combined` is a flip of a paraphrase. `beyond` is a flip that no metric of the paper includes. */
export type TextFamily = 'paraphrase' | 'flip' | 'combined' | 'beyond';

export const flipTypes = ['color', 'number', 'object'] as const;
export type FlipType = (typeof flipTypes)[number];

/** Offsets in UTF-16 units. `to` is exclusive. */
export type Span = readonly [from: number, to: number];

export interface TextVariant {
  text: string;
  family: TextFamily;
  /** For a paraphrase: template, passive, synonym, restructure or given. For a flip: color, number, …. */
  kind: string;
  rule: string;
  /** `span` is the new part of `text`. `was` is the replaced part of the original or, for a combined variant, of the paraphrase. */
  span: Span;
  was: Span;
  /** For a combined variant, the index of the flipped paraphrase among the caption's variants. */
  of?: number;
}

const wordUnit = /[\p{L}\p{M}\p{N}_'’-]/u;

/** The parts in which two texts differ, widened to whole words. */
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

/** Makes a variant with the spans in which it differs from the original. */
export function variantOf(
  before: string,
  text: string,
  made: { family: TextFamily; kind: string; rule: string; of?: number },
): TextVariant {
  return { text, ...made, ...changedSpans(before, text) };
}
