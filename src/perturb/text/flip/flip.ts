import type { Random } from '../../../base/random';
import { flipTypes, type FlipType, type TextVariant } from '../variant';
import { paperVocabulary, wholeWord } from '../vocabulary';

/** Makes a generator for one purpose from the seed, the example and the caption. */
export type RandomFor = (purpose: string) => Random;

const patterns = { any: patternsOf('i'), lower: patternsOf('') };

function patternsOf(flags: string): Record<FlipType, RegExp> {
  return {
    color: wholeWord(paperVocabulary.color, flags),
    number: wholeWord(paperVocabulary.number, flags),
    object: wholeWord(paperVocabulary.object, flags),
  };
}

/** Replaces the type's first vocabulary word, as in the paper; in a paraphrase, by the same new word. */
export function flip(
  text: string,
  type: FlipType,
  randomFor: RandomFor,
  { capitals = true }: { capitals?: boolean } = {},
): TextVariant | undefined {
  const found = (capitals ? patterns.any : patterns.lower)[type].exec(text);
  if (found === null) return undefined;
  const word = found[0];
  const others = paperVocabulary[type].filter((other) => other !== word.toLowerCase());
  const replacement = inCaseOf(word, randomFor(`flip.${type}`).pick(others));
  const end = found.index + word.length;
  return {
    text: text.slice(0, found.index) + replacement + text.slice(end),
    family: 'flip',
    kind: type,
    rule: type,
    was: [found.index, end],
    span: [found.index, found.index + replacement.length],
  };
}

/** One flip for each type that has a vocabulary word in the caption. */
export function flips(text: string, randomFor: RandomFor, options?: { capitals?: boolean }): TextVariant[] {
  return flipTypes.flatMap((type) => flip(text, type, randomFor, options) ?? []);
}

/** The word in the case of `model`: "Two" becomes "Three", "TWO" becomes "THREE". */
export function inCaseOf(model: string, word: string): string {
  if (model === model.toLowerCase()) return word;
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  return word[0].toUpperCase() + word.slice(1);
}
