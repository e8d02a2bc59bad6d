/** Compounds and fixed phrases of captions. Replacing one of their words would result in nonsense: "fire lamppost". */
import type { Token } from '../text/token';
import { verbsInS } from '../text/words';
import { isListed } from './concepts';
import data from './compounds.json';
import { singular } from './number';

interface Phrase {
  words: readonly string[];
  /** For a compound: the single word that names its kind. */
  like?: string;
}

let phrases: Map<string, Phrase[]> | undefined;
let alike: Map<string, string> | undefined;

function load(): { phrases: Map<string, Phrase[]>; alike: Map<string, string> } {
  if (phrases !== undefined && alike !== undefined) return { phrases, alike };
  phrases = new Map();
  alike = new Map();
  const listed: Phrase[] = splitList(data.fixed).map((text) => ({ words: text.split(' ') }));
  for (const [like, list] of Object.entries<string>(data.compounds))
    for (const text of splitList(list)) {
      alike.set(text, like);
      listed.push({ words: text.split(' '), like });
    }
  // The longest phrase is first, because "double decker bus" contains "decker bus".
  listed.sort((a, b) => b.words.length - a.words.length);
  for (const phrase of listed)
    phrases.set(phrase.words[0], [...(phrases.get(phrase.words[0]) ?? []), phrase]);
  return { phrases, alike };
}

function splitList(list: string): string[] {
  return list.split(', ');
}

/** The single word that names the kind of a compound: "hydrant" for "fire hydrants". Other words stay the same. */
export function kindOfCompound(word: string): string {
  if (!word.includes(' ')) return word;
  return load().alike.get(singularPhrase(word)) ?? word;
}

let verbs: ReadonlySet<string> | undefined;

/** Whether a word in -s after a singular noun is a verb rather than a plural: "a woman pets her dog". */
export function isVerbInS(word: string): boolean {
  verbs ??= new Set([...verbsInS, ...data.verbs.split(' ')]);
  return verbs.has(word);
}

/** The compound or fixed phrase that begins at a token: its number of tokens, and whether it is a compound. */
export function phraseAt(
  tokens: readonly Token[],
  at: number,
): { length: number; isCompound: boolean } | undefined {
  const found = load()
    .phrases.get(tokens[at].lower)
    ?.find(({ words }) =>
      words.every((word, i) => {
        const lower = tokens[at + i]?.lower;
        return (
          lower === word || (lower !== undefined && i === words.length - 1 && singularOf(lower) === word)
        );
      }),
    );
  return found && { length: found.words.length, isCompound: found.like !== undefined };
}

function singularOf(word: string): string {
  return singular(word, isListed);
}

function singularPhrase(phrase: string): string {
  const words = phrase.split(' ');
  return [...words.slice(0, -1), singularOf(words[words.length - 1])].join(' ');
}
