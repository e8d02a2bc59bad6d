import { say, type Words } from '../../base/say';
import { kindOf, nounOf } from './caption';
import type { Lexicon, LexiconWord } from './lexicon';

/** The reason why a word cannot describe an object; undefined if it can. */
export function misfit(
  lexicon: Lexicon,
  family: string,
  word: LexiconWord,
  label: string,
  category: string,
): Words | undefined {
  const { suits, otherwise } = lexicon.families[family];
  const noun = nounOf(label);
  const listed = lexicon.rejected.find(
    (pair) =>
      pair.word.toLowerCase() === word.word.toLowerCase() && pair.object.toLowerCase() === noun.toLowerCase(),
  );
  if (listed !== undefined) return listed.reason;
  if (kindOf(word) === 'noun') {
    if (category !== 'person') return say('perturb.nounForPerson');
    if (lexicon.gendered.includes(noun.toLowerCase())) return say('perturb.nounTooGeneral');
    return undefined;
  }
  if (!suits.includes(category)) return otherwise;
  if (family === 'gender' && lexicon.gendered.includes(noun.toLowerCase()))
    return say('perturb.genderStated');
  return undefined;
}
