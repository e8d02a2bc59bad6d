import { conceptOf, isListed } from '../../words/concepts';
import { fitOf, seenTogether } from '../../words/fit';
import {
  alsoCounting,
  counting,
  fitNeeded,
  furColors,
  grown,
  isOpen,
  isOutdoorColor,
  notCounted,
  ownColor,
} from './flipSense';
import { articleFor, plural, singular } from '../../words/number';
import { isPluralNoun, nounPhraseAt, type NounPhrase } from '../analysis';
import { isNounAt, nearColors, seenColor } from '../beyond';
import { inCaseOf, type RandomFor } from './flip';
import { isNoun } from '../tags';
import type { Token } from '../token';
import { flipTypes, type FlipType, type TextVariant, variantOf } from '../variant';
import { paperVocabulary } from '../vocabulary';

/** Replaces the text between two offsets. */
interface Edit {
  start: number;
  end: number;
  put: string;
}

/** A word that may be flipped. `editsFor`: what else a new word changes, or undefined if it does not fit. */
interface Site {
  at: number;
  editsFor: (word: string) => Edit[] | undefined;
}

/**
 * The paper's flips in natural sentences. Article and number agree, names and compounds stay, and the new word
 * fits the words around it. A caption without a suitable word has no flip.
 */
export function cleanFlips(
  text: string,
  tokens: readonly Token[] | undefined,
  randomFor: RandomFor,
): TextVariant[] {
  return flipTypes.flatMap((type) => cleanFlip(text, tokens, type, randomFor) ?? []);
}

export function cleanFlip(
  text: string,
  tokens: readonly Token[] | undefined,
  type: FlipType,
  randomFor: RandomFor,
): TextVariant | undefined {
  if (tokens === undefined) return undefined;
  let order: string[] | undefined;
  for (const [at, token] of tokens.entries()) {
    if (!paperVocabulary[type].includes(token.lower) || isName(tokens, at)) continue;
    const site = siteOf(type, text, tokens, at);
    if (site === undefined) continue;
    // The caption and its paraphrases try new words in the same order, so they usually get the same word.
    order ??= randomFor(`flip.${type}`).shuffle(paperVocabulary[type]);
    for (const word of order) {
      if (word === token.lower || tokens.some(({ lower }) => lower === word || lower === plural(word)))
        continue;
      const edits = site.editsFor(word);
      if (edits === undefined) continue;
      const flipped = applied(text, [
        ...articleBefore(tokens, at, word),
        { start: token.start, end: token.end, put: inCaseOf(token.text, word) },
        ...edits,
      ]);
      return variantOf(text, flipped, { family: 'flip', kind: type, rule: type });
    }
  }
  return undefined;
}

function applied(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((done, { start, end, put }) => done.slice(0, start) + put + done.slice(end), text);
}

function articleBefore(tokens: readonly Token[], at: number, word: string): Edit[] {
  const before = tokens[at - 1];
  if (before === undefined || !/^an?$/.test(before.lower)) return [];
  // "A" alone does not show whether the caption is in capitals.
  const model = tokens.every(({ text }) => text === text.toUpperCase()) ? 'AN' : before.text;
  return [{ start: before.start, end: before.end, put: inCaseOf(model, articleFor(word)) }];
}

/** Whether a capital shows that the word is part of a name, such as "Red Sox". */
function isName(tokens: readonly Token[], at: number): boolean {
  const starts = at === 0 || /^[.!?:"]$/.test(tokens[at - 1].text);
  const isCapital = (token: Token | undefined) =>
    token !== undefined && /^\p{Lu}/u.test(token.text) && token.text !== 'A';
  if (starts)
    return isCapital(tokens[at]) && isCapital(tokens[at + 1]) && /\p{Ll}/u.test(tokens[at + 1].text);
  return isCapital(tokens[at]) && tokens.some(({ text }) => /\p{Ll}/u.test(text));
}

function siteOf(type: FlipType, text: string, tokens: readonly Token[], at: number): Site | undefined {
  switch (type) {
    case 'color':
      return colorAt(tokens, at);
    case 'number':
      return numberAt(tokens, at);
    case 'object':
      return objectAt(text, tokens, at);
  }
}

function colorAt(tokens: readonly Token[], at: number): Site | undefined {
  if (!seenColor(tokens, at)) return undefined;
  // Two words can name one colour: "light blue", "a bright red car", "blue green".
  if (
    /^(light|dark|bright|pale|deep|neon|hot|baby|navy|royal|sky|lime|olive)$/.test(
      tokens[at - 1]?.lower ?? '',
    )
  )
    return undefined;
  const isColor = (token: Token | undefined) => token !== undefined && conceptOf(token.lower) === 'color';
  if (isColor(tokens[at - 1]) || isColor(tokens[at + 1]) || tokens[at + 1]?.text === ',') return undefined;
  const head = headAfter(tokens, at);
  if (head === undefined || ownColor.test(head) || ownColor.test(tokens[at + 1].lower)) return undefined;
  // "Orange slices" are slices of the fruit. A clear sky is always blue.
  if (tokens[at].lower === 'orange' && /^(slice|juice|peel|segment|wedge|half|tree|zest)$/.test(head))
    return undefined;
  if (head === 'sky' && tokens[at - 1]?.lower === 'clear') return undefined;
  const group = conceptOf(head) ?? '';
  const near = new Set(nearColors.filter((colors) => colors.includes(tokens[at].lower)).flat());
  return {
    at,
    editsFor: (word) => {
      if (near.has(word)) return undefined;
      if (group === 'person') return undefined;
      if (group === 'animal' || group === 'bird') return furColors.has(word) ? [] : undefined;
      if (group === 'nature' || (group === 'place' && isOpen.test(head)))
        return isOutdoorColor(tokens[at].lower, word, head) ? [] : undefined;
      if (grown.has(group)) return seenTogether(word, head) >= 3 ? [] : undefined;
      return [];
    },
  };
}

/** The last noun of the phrase that a colour describes, in the singular. Undefined if no noun follows. */
function headAfter(tokens: readonly Token[], at: number): string | undefined {
  let end = at + 1;
  while (
    tokens[end] !== undefined &&
    (tokens[end].pos === 'ADJ' || tokens[end].pos === 'VERB') &&
    end < at + 3
  )
    end++;
  if (!isNounAt(tokens, end)) return undefined;
  while (isNounAt(tokens, end + 1)) end++;
  return singular(tokens[end].lower, isListed);
}

function numberAt(tokens: readonly Token[], at: number): Site | undefined {
  const phrase = nounPhraseAt(tokens, at);
  if (phrase === undefined || phrase.from !== at) return undefined;
  const head = phrase.head.lower;
  const next = tokens[phrase.to];
  if (notCounted.test(head) || conceptOf(head) === 'body' || conceptOf(head) === 'time') return undefined;
  if (next?.lower === 'of' || next?.lower === "'s" || tokens.slice(at + 1, phrase.to).some(isNumberWord))
    return undefined;
  if (
    tokens[at - 1] !== undefined &&
    /^(of|the|these|those|number|than|about|or|between)$/.test(tokens[at - 1].lower)
  )
    return undefined;
  if (tokens.some(({ lower }, i) => i !== at && alsoCounting.test(lower))) return undefined;
  if (tokens[at].lower === 'one') return oneAt(tokens, at, phrase);
  if (!phrase.plural || !isPluralNoun(head)) return undefined;
  return { at, editsFor: (word) => (word === 'one' ? toOne(tokens, at, phrase) : []) };
}

function isNumberWord({ lower, pos }: Token): boolean {
  return pos === 'NUM' || paperVocabulary.number.includes(lower);
}

/** Whether the number may change: no word outside the phrase shows how many things the phrase names. */
function isFree(tokens: readonly Token[], at: number, phrase: NounPhrase): boolean {
  return !tokens.some(({ lower }, i) => (i < at || i >= phrase.to) && counting.test(lower));
}

function oneAt(tokens: readonly Token[], at: number, phrase: NounPhrase): Site | undefined {
  const { head } = phrase;
  const before = tokens[at - 1];
  if ((before !== undefined && /^(ADJ|NOUN|PROPN)$/.test(before.pos)) || /ing$/.test(head.lower))
    return undefined;
  if (phrase.plural || isPluralNoun(head.lower) || !isListed(head.lower) || !isFree(tokens, at, phrase))
    return undefined;
  const verb = verbAfter(tokens, phrase, { is: 'are', has: 'have', was: 'were' });
  if (verb === undefined) return undefined;
  return {
    at,
    editsFor: () => [
      { start: head.start, end: head.end, put: inCaseOf(head.text, plural(head.lower)) },
      ...verb,
    ],
  };
}

function toOne(tokens: readonly Token[], at: number, phrase: NounPhrase): Edit[] | undefined {
  const { head } = phrase;
  const one = singular(head.lower, isListed);
  // In "a woman and two men are", the verb agrees with the list, not with the phrase.
  if (tokens[at - 1]?.lower === 'and') return undefined;
  if (one === head.lower || !isFree(tokens, at, phrase)) return undefined;
  const verb = verbAfter(tokens, phrase, { are: 'is', have: 'has', were: 'was' });
  return verb && [{ start: head.start, end: head.end, put: inCaseOf(head.text, one) }, ...verb];
}

/** Makes the verb after the phrase agree in number. Returns undefined if the verb's new form is uncertain. */
function verbAfter(
  tokens: readonly Token[],
  { from, to }: NounPhrase,
  forms: Readonly<Record<string, string>>,
): Edit[] | undefined {
  const next = tokens[to];
  // A verb before the phrase is not edited, so "there are two dogs" would become "there are one dog".
  if (tokens.slice(0, from).some(({ lower }) => /^(is|are|was|were|there|has|have)$/.test(lower)))
    return undefined;
  if (next === undefined || next.pos === 'PUNCT' || next.pos === 'ADP' || /ing$/.test(next.lower)) {
    return tokens.slice(to).some(({ lower }) => /^(is|are|was|were|has|have)$/.test(lower)) ? undefined : [];
  }
  const put = forms[next.lower];
  return put === undefined ? undefined : [{ start: next.start, end: next.end, put }];
}

function objectAt(text: string, tokens: readonly Token[], at: number): Site | undefined {
  const token = tokens[at];
  if (!isNoun(token) || isNounAt(tokens, at - 1) || isNounAt(tokens, at + 1)) return undefined;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (/^(hot|teddy|toy|stuffed|polar|sea|police|fire|model|guide|parked)$/.test(before?.lower ?? ''))
    return undefined;
  if (/^('s|of|stop|stops|-)$/.test(after?.lower ?? '')) return undefined;
  // Another mention, such as "the dog" or "another dog", would contradict the new word.
  const again = tokens.some(({ lower }, i) => i !== at && singular(lower, isListed) === token.lower);
  if (again) return undefined;
  return {
    at,
    editsFor: (word) => {
      const needed = fitNeeded(tokens, at, word);
      return needed !== undefined && fitOf(word, text, token.start, token.end) >= needed ? [] : undefined;
    },
  };
}
