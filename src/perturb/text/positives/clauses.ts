/** Sentences of two clauses about one subject: "There is a man, and this man is riding a horse". */
import { textOf, type Form } from '../analysis';
import { lowerFirst } from '../templates';
import type { Token } from '../token';

/** Makes at most one text from a caption. */
export type Rule = (caption: string, tokens: readonly Token[], form: Form) => string | undefined;

/** The text with a capital if the caption begins with one. */
export function opening(caption: string, text: string): string {
  return /^\p{Lu}/u.test(caption) ? text[0].toUpperCase() + text.slice(1) : text;
}

/** Whether "this" or "these" with the noun can refer to the whole subject; not for "a dog and a cat". */
export function isSingleOrPlural(tokens: readonly Token[], { subject, are }: Form): boolean {
  if (!subject.indefinite || are === undefined || subject.possessive) return false;
  return !tokens.slice(0, subject.to).some(({ lower }) => /^(of|and|or|with)$/.test(lower));
}

/** The noun as the caption writes it in the middle of a sentence: "TV", but "cats" for "Cats". */
export function nameOf({ text, lower }: Token): string {
  return /^\p{Lu}{2}/u.test(text) ? text : lower;
}

/** The two clauses: the subject up to `who`, and the predicate from the token `from`. */
export function clauses(
  caption: string,
  tokens: readonly Token[],
  { subject, are }: Form,
  { who, verb, from, again }: { who: number; verb?: string; from: number; again?: string },
): string {
  const first = lowerFirst(textOf(caption, tokens, 0, who), tokens);
  const second = again ?? `${are === true ? 'these' : 'this'} ${nameOf(subject.head)}`;
  const rest = caption.slice(tokens[from].start);
  return [
    opening(caption, 'there'),
    are === true ? 'are' : 'is',
    `${first},`,
    'and',
    second,
    ...(verb === undefined ? [] : [verb]),
    rest,
  ].join(' ');
}
