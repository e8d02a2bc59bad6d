import { kindOf, nounOf } from './caption';
import type { Lexicon, LexiconWord } from './lexicon';

/** Why a word cannot be said of an object; undefined where it can. */
export function misfit(
  lexicon: Lexicon,
  family: string,
  word: LexiconWord,
  label: string,
  category: string,
): string | undefined {
  const { suits, otherwise } = lexicon.families[family];
  const noun = nounOf(label);
  const listed = lexicon.rejected.find(
    (pair) =>
      pair.word.toLowerCase() === word.word.toLowerCase() && pair.object.toLowerCase() === noun.toLowerCase(),
  );
  if (listed !== undefined) return listed.reason;
  if (kindOf(word) === 'noun') {
    if (category !== 'person') return 'it is a noun that stands for a person';
    if (lexicon.gendered.includes(noun.toLowerCase()))
      return 'it would replace a word that says more than "person"';
    return undefined;
  }
  if (!suits.includes(category)) return otherwise;
  if (family === 'gender' && lexicon.gendered.includes(noun.toLowerCase()))
    return 'the object has a gender already';
  return undefined;
}
