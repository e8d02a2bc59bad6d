import { valueIn } from '../../base/lists';
import type { Random } from '../../base/random';
import { isNoun, startsPhrase } from '../text/tags';
import { tag } from '../text/tagger';
import { inCapitals } from '../text/templates';
import { actions, ingNouns, verbsOrNouns } from '../text/words';
import type { Token } from '../text/token';
import { conceptOf, dangersFor, isListed, membersOf, siblingsOf } from './concepts';
import { mayBothBeSaid } from './alike';
import { isVerbInS, kindOfCompound, phraseAt } from './compounds';
import { articleFor, isPlural, plural, singular } from './number';
import { meansItsSort } from './same/sense';
import vocabularyText from './vocabulary.json';

/** The source of replacements: nouns of the same kind, nouns of another group, any words, or words of danger. */
export type Policy = 'same-concept' | 'different-concept' | 'random-vocabulary' | 'danger';
export const policies: readonly Policy[] = [
  'same-concept',
  'different-concept',
  'random-vocabulary',
  'danger',
];

export interface Replacement {
  text: string;
  /** `from` is the original word, and `to` is its replacement. */
  from: string;
  to: string;
  fromConcept?: string;
  toConcept?: string;
}

export interface ReplaceOptions {
  /** Whether to keep the noun's number (singular or plural) and correct the article. */
  agree: boolean;
  /** Whether a word is true of the image, so that it cannot replace a noun. */
  isTrue?: (word: string) => boolean;
}

let vocabulary: readonly string[] | undefined;

/** The alphabetic words of BERT's vocabulary. */
export function anyWords(): readonly string[] {
  vocabulary ??= vocabularyText.split(' ');
  return vocabulary;
}

/** The nouns of a caption, in order; empty if it cannot be parsed. A compound counts as one noun. */
export function nounsOf(caption: string): Token[] {
  const tokens = tag(caption) ?? [];
  const nouns: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const phrase = phraseAt(tokens, at);
    if (phrase !== undefined) {
      const last = tokens[at + phrase.length - 1];
      if (phrase.isCompound) nouns.push(joined(caption, tokens[at], last));
      at += phrase.length - 1;
      continue;
    }
    const token = tokens[at];
    if (isNoun(token) && /^\p{L}/u.test(token.text) && !isOtherThanThing(tokens, at)) nouns.push(token);
  }
  return nouns;
}

function joined(caption: string, { start }: Token, { end }: Token): Token {
  const text = caption.slice(start, end);
  return { text, lower: text.toLowerCase().replace(/\s+/g, ' '), pos: 'NOUN', start, end };
}

/** Whether a noun names no visible thing ("nothing", "lots"), or is a verb that the tagger calls a noun. */
function isOtherThanThing(tokens: readonly Token[], at: number): boolean {
  const [before, { lower }, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (/^(midair|mid-air|things?|somethings?|anything|everything|nothing|kinda|lots?)$/.test(lower))
    return true;
  // A word such as "standing" is a noun only after a determiner, an adjective, "go", "of" or "for", and never
  // before another noun, as in "a standing clock".
  if (actions.has(lower) && !ingNouns.has(lower)) {
    if (after !== undefined && isNoun(after)) return true;
    return !/^(DET|ADJ)$/.test(before?.pos ?? '') && !/^(go(es|ing)?|of|for)$/.test(before?.lower ?? '');
  }
  const isSubject = before !== undefined && (isNoun(before) || before.pos === 'PRON');
  const isMany = isSubject && (isPlural(before.lower, isListed) || isSameInPlural.test(before.lower));
  // "The skier paddles through the water": this word is a verb that ends in -s, not a plural noun.
  if (isSubject && !isMany && isVerbInS(lower) && after !== undefined && startsPhrase(after)) return true;
  return isMany && verbsOrNouns.has(lower) && /^(ADP|DET|ADJ|NOUN)$/.test(after?.pos ?? '');
}

const isSameInPlural = /^(sheep|deer|fish|cattle|police|moose|bison)$/;

export function without(caption: string, { start, end }: Token): string {
  return (caption.slice(0, start).trimEnd() + caption.slice(end)).trim();
}

/** Replaces a noun with a random word of the policy; undefined if the policy has no other word for the noun. */
export function replaceNoun(
  caption: string,
  noun: Token,
  policy: Policy,
  random: Random,
  { agree, isTrue = () => false }: ReplaceOptions,
): Replacement | undefined {
  const own = kindOfCompound(noun.lower);
  const fromConcept = conceptOf(own);
  const candidates = candidatesOf(policy, own, fromConcept);
  if (candidates.length === 0) return undefined;
  if (policy === 'same-concept' && !meansItsSort(tag(caption) ?? [], noun, fromConcept)) return undefined;
  const isUnfit = (one: string): boolean => sameWord(one, own) || isTrue(one);
  let word = random.pick(candidates);
  for (let tries = 0; isUnfit(word) && tries < 100; tries++) word = random.pick(candidates);
  if (isUnfit(word)) return undefined;
  const toConcept = conceptOf(word);
  if (agree && policy !== 'random-vocabulary' && isPlural(noun.lower, isListed)) word = plural(word);
  return { ...put(caption, noun, word, agree), fromConcept, toConcept };
}

/** Replaces a word and keeps the case of its first letter, or the capitals of the caption. */
export function put(caption: string, { start, end }: Token, word: string, agree: boolean): Replacement {
  const from = caption.slice(start, end);
  const to = inCapitals(caption)
    ? word.toUpperCase()
    : /^\p{Lu}/u.test(from)
      ? word[0].toUpperCase() + word.slice(1)
      : word;
  let before = caption.slice(0, start);
  if (agree) {
    before = before.replace(/\b(a)(n?)(\s+)$/i, (_, a: string, _n: string, space: string) =>
      articleFor(word) === 'an' ? `${a}n${space}` : `${a}${space}`,
    );
  }
  return { text: before + to + caption.slice(end), from, to };
}

function candidatesOf(policy: Policy, word: string, concept: string | undefined): readonly string[] {
  switch (policy) {
    case 'same-concept':
      return siblingsOf(word).filter((sibling) => !mayBothBeSaid(singular(word, isListed), sibling));
    case 'different-concept':
      return concept === undefined ? [] : others(concept);
    case 'random-vocabulary':
      return anyWords();
    case 'danger':
      return dangersFor(concept);
  }
}

const othersOf = new Map<string, readonly string[]>();

function others(concept: string): readonly string[] {
  return valueIn(othersOf, concept, () =>
    [...membersOf()].filter(([name]) => name !== concept).flatMap(([, list]) => list),
  );
}

/** Which words are true of an image: those of its captions, and nouns that may name the same things. */
export function trueOf(captions: readonly string[]): (word: string) => boolean {
  const words = new Set<string>();
  const nouns = new Set<string>();
  for (const caption of captions) {
    for (const word of caption.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [])
      words.add(word).add(singular(word, isListed));
    for (const { lower } of nounsOf(caption)) nouns.add(singular(kindOfCompound(lower), isListed));
  }
  return (word) =>
    words.has(word) || words.has(plural(word)) || [...nouns].some((noun) => mayBothBeSaid(noun, word));
}

function sameWord(a: string, b: string): boolean {
  return a === b || plural(a) === b || plural(b) === a;
}
