import { Random } from '../../base/random';
import { conceptOf } from '../../perturb/words/concepts';
import { anyWords, type Policy, put, replaceNoun, without } from '../../perturb/words/replace';
import { tag } from '../../perturb/text/tagger';
import { highest, lowest, nounsInOrder, type WeighedCaption } from './influence';
import { within, withoutEnd } from '../../base/text/ends';

/** An altered caption. If the changed word is not known, the fields about the word are absent. */
export interface Alteration {
  text: string;
  /** The index of the original caption among the example's captions. */
  caption?: number;
  from?: string;
  to?: string;
  fromConcept?: string;
  toConcept?: string;
}

/**
 * Replaces the least influential noun according to a policy of the paper, or the next one if the policy has no word for
 * it. No new word is true of the image by its captions.
 */
export function alterByPolicy(
  caption: WeighedCaption,
  policy: Policy,
  seed: number,
  agree: boolean,
  isTrue: (word: string) => boolean,
): Alteration | undefined {
  const random = new Random(seed, ...caption.key, `rococo.${policy}`);
  for (const noun of nounsInOrder(caption, seed)) {
    const made = replaceNoun(caption.text, caption.nouns[noun], policy, random, { agree, isTrue });
    if (made !== undefined) return { ...made, caption: caption.index };
  }
  return undefined;
}

export type Deletion = 'low' | 'high' | 'random';
export const deletions: readonly Deletion[] = ['low', 'high', 'random'];

/** Table 5 of the paper: deletes the noun with the lowest or highest edit influence (EI), or a random noun. */
export function alterByDeletion(
  caption: WeighedCaption,
  influence: readonly number[],
  kind: Deletion,
  seed: number,
): Alteration | undefined {
  const from =
    kind === 'low' ? lowest(influence) : kind === 'high' ? highest(influence) : [...influence.keys()];
  if (from.length === 0) return undefined;
  const noun = caption.nouns[new Random(seed, ...caption.key, `rococo.delete.${kind}`).pick(from)];
  const text = without(caption.text, noun);
  return text === '' ? undefined : { text, caption: caption.index, from: noun.text };
}

/** Table 6 of the paper: replaces this many words of any kind. Undefined if the caption is too short. */
export function alterManyWords(
  { key, index, text }: Pick<WeighedCaption, 'key' | 'index' | 'text'>,
  words: number,
  seed: number,
): Alteration | undefined {
  const tokens = (tag(text) ?? []).filter(({ text }) => /^\p{L}/u.test(text));
  if (tokens.length < words) return undefined;
  const random = new Random(seed, ...key, `rococo.words.${words}`);
  // Replaces from the end, so earlier positions stay valid.
  const chosen = random
    .shuffle(tokens)
    .slice(0, words)
    .sort((a, b) => b.start - a.start);
  let altered = text;
  for (const token of chosen) {
    let word = random.pick(anyWords());
    while (word === token.lower) word = random.pick(anyWords());
    altered = put(altered, token, word, false).text;
  }
  return { text: altered, caption: index };
}

/** In lower case, with single spaces, without final full stops: published alterations change these. */
export function plainly(text: string): string {
  return withoutEnd(text.toLowerCase().replace(/\s+/g, ' ').trim(), /\./).trimEnd();
}

/** The replaced word and its replacement; undefined unless exactly one word differs. */
export function changedWord(
  caption: string,
  altered: string,
): (Required<Pick<Alteration, 'from' | 'to'>> & Pick<Alteration, 'fromConcept' | 'toConcept'>) | undefined {
  const before = wordsOf(caption);
  const after = wordsOf(altered);
  if (before.length !== after.length) return undefined;
  const places = [...before.keys()].filter((i) => before[i] !== after[i]);
  if (places.length !== 1) return undefined;
  const [from, to] = [before[places[0]], after[places[0]]];
  return { from, to, fromConcept: conceptOf(from), toConcept: conceptOf(to) };
}

function wordsOf(text: string): string[] {
  return plainly(text)
    .split(' ')
    .map((word) => within(word, /[^\p{L}\p{N}]/u))
    .filter((word) => word !== '');
}
