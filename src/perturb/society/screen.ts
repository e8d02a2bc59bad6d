import { kindOf, nounOf } from './caption';
import type { Lexicon, LexiconWord } from './lexicon';

/** The reason why a word cannot describe an object; undefined if it can. */
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
    if (category !== 'person') return 'the word is a noun, which can only replace "person"';
    if (lexicon.gendered.includes(noun.toLowerCase()))
      return 'the word would replace a noun more specific than "person"';
    return undefined;
  }
  if (!suits.includes(category)) return otherwise;
  if (family === 'gender' && lexicon.gendered.includes(noun.toLowerCase()))
    return "the object's name already states a gender";
  return undefined;
}
