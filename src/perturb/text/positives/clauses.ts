/** Makes sentences of two clauses about one subject: "There is a man, and this man is riding a horse". */
import { type Form, type NounPhrase, textOf } from '../analysis';
import { isNoun } from '../tags';
import { lowerFirst } from '../templates';
import type { Token } from '../token';

/** Makes at most one text from a caption. */
export type Rule = (caption: string, tokens: readonly Token[], form: Form) => string | undefined;

/** The text with a capital if the caption begins with one. */
export function opening(caption: string, text: string): string {
  return /^\p{Lu}/u.test(caption) ? text[0].toUpperCase() + text.slice(1) : text;
}

/** Whether "this" or "these" can refer to the whole subject, which has no "of", "and", "or" or "with". */
export function isSingleOrPlural(tokens: readonly Token[], { subject, are }: Form): boolean {
  if (!subject.indefinite || are === undefined || subject.possessive) return false;
  return !tokens.slice(0, subject.to).some(({ lower }) => /^(of|and|or|with)$/.test(lower));
}

/** The name of the thing in the phrase, without other adjectives: "hot dog", not "dog". Keeps "TV". */
export function nameOf(tokens: readonly Token[], { from, to }: Pick<NounPhrase, 'from' | 'to'>): string {
  let first = to - 1;
  while (first > from && (isNoun(tokens[first - 1]) || compound.test(tokens[first - 1].lower))) first--;
  return tokens
    .slice(first, to)
    .map(({ text, lower, start }) => (start === 0 && !/^\p{Lu}{2}/u.test(text) ? lower : text))
    .join(' ');
}

/** Adjectives that form a name with their noun. */
const compound = /^(hot|teddy|stuffed|toy|polar)$/;

/**
 * Makes "there is A, and this B …". A is the caption before the token `who`, B is the name of the subject, and "…"
 * is the caption from the token `from`.
 */
export function clauses(
  caption: string,
  tokens: readonly Token[],
  { subject, are }: Form,
  { who, verb, from, again }: { who: number; verb?: string; from: number; again?: string },
): string {
  const first = lowerFirst(textOf(caption, tokens, 0, who), tokens);
  const second = again ?? `${are === true ? 'these' : 'this'} ${nameOf(tokens, subject)}`;
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
