import { english } from '../../base/english';
import { say, type Words } from '../../base/say';
import { kindOf, nounOf } from './caption';
import type { Lexicon, LexiconWord } from './lexicon';

/** The reasons of the built-in lexicon, as messages that can be translated. */
const knownReasons = [
  say('perturb.livingHaveNoPrice'),
  say('perturb.namesBreed'),
  say('perturb.namesHome'),
  say('perturb.nobodyShops'),
  say('perturb.thingsHaveNoFeelings'),
  say('perturb.thingsHaveNoGender'),
];

export function reasonOf(text: string): Words {
  return knownReasons.find((reason) => english(reason) === text) ?? text;
}

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
  if (listed !== undefined) return reasonOf(listed.reason);
  if (kindOf(word) === 'noun') {
    if (category !== 'person') return say('perturb.nounForPerson');
    if (lexicon.gendered.includes(noun.toLowerCase())) return say('perturb.nounTooGeneral');
    return undefined;
  }
  if (!suits.includes(category)) return reasonOf(otherwise);
  if (family === 'gender' && lexicon.gendered.includes(noun.toLowerCase()))
    return say('perturb.genderStated');
  return undefined;
}
