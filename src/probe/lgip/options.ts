import { CaptiousError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { PerturbOptions } from '../../perturb/text/perturb';
import { keepOption, keptPercents } from '../filter/keepOption';
import type { OptionSpec, OptionValue } from '../probe';

export const lgipOptions: readonly OptionSpec[] = [
  {
    key: 'asInPaper',
    title: say('lgip.asInPaperOption'),
    describe:
      'For English captions: apply the paper’s rules literally, even if the result is ungrammatical ("a photo of A man…", "An brown bus"). If off, Captious uses a template only where it fits, and a flip only if it is grammatical and makes sense.',
    default: false,
  },
  {
    key: 'capitals',
    title: say('lgip.capitalisedOption'),
    describe:
      'With asInPaper: also flip capitalised words ("Two dogs"). On COCO, this makes 0.46 flips per caption. If off, there are 0.40, as in the paper.',
    default: true,
  },
  {
    key: 'mostParaphrases',
    title: say('lgip.paraphrasesOption'),
    describe: 'Maximum number of paraphrases of a caption.',
    default: 6,
  },
  {
    key: 'mostFlips',
    title: say('lgip.flipsOption'),
    describe: 'Maximum number of flips of a caption.',
    default: 6,
  },
  {
    key: 'mostCombined',
    title: say('lgip.flippedParaphrasesOption'),
    describe: 'Maximum number of flipped paraphrases of a caption.',
    default: 6,
  },
  {
    key: 'leastLength',
    title: say('lgip.variantLengthOption'),
    describe: 'Minimum length of a variant in characters.',
    default: 5,
  },
  {
    key: 'alpha',
    title: say('lgip.typeWeightOption'),
    describe:
      'Weight of the flip type in the strength of a flip. The text distance has the remaining weight.',
    default: 0.5,
  },
  {
    key: 'given',
    title: say('lgip.datasetVariantsOption'),
    describe:
      'What to do with variants in the dataset: use them instead of generated variants, or ignore them.',
    default: 'use',
    choices: ['use', 'ignore'],
  },
  {
    key: 'beyondVocabulary',
    title: say('lgip.vocabularyOption'),
    describe:
      'Not in the paper: flips from larger vocabularies, with grammatical agreement and a check of word sense.',
    default: false,
  },
  {
    key: 'beyondNegation',
    title: say('lgip.negationOption'),
    describe: 'Not in the paper: negated captions.',
    default: false,
  },
  {
    key: 'beyondRelation',
    title: say('lgip.relationsOption'),
    describe: 'Not in the paper: swapped relations, such as "underneath" for "on top of".',
    default: false,
  },
  {
    key: 'beyondMulti',
    title: say('lgip.severalAttributesOption'),
    describe: 'Not in the paper: several attributes flipped at once.',
    default: false,
  },
  keepOption,
];

export interface LgipOptions extends PerturbOptions {
  alpha: number;
  given: 'use' | 'ignore';
  /** The percentages that filters keep. */
  keep: readonly number[];
}

export function lgipOptionsFrom(values: Readonly<Record<string, OptionValue>>): LgipOptions {
  const value = (key: string): OptionValue =>
    values[key] ?? lgipOptions.find((spec) => spec.key === key)!.default;
  const flag = (key: string): boolean => value(key) === true;
  const count = (key: string): number => {
    const given = Number(value(key));
    if (Number.isSafeInteger(given) && given >= 0) return given;
    throw wrong(key, say('lgip.wholeNumberExpected'));
  };
  const alpha = Number(value('alpha'));
  if (!(alpha >= 0 && alpha <= 1)) throw wrong('alpha', say('lgip.shareExpected'));
  return {
    asInPaper: flag('asInPaper'),
    capitals: flag('capitals'),
    mostParaphrases: count('mostParaphrases'),
    mostFlips: count('mostFlips'),
    mostCombined: count('mostCombined'),
    leastLength: count('leastLength'),
    alpha,
    given: value('given') === 'ignore' ? 'ignore' : 'use',
    beyondVocabulary: flag('beyondVocabulary'),
    beyondNegation: flag('beyondNegation'),
    beyondRelation: flag('beyondRelation'),
    beyondMulti: flag('beyondMulti'),
    keep: keptPercents('lgip', value('keep')),
  };

  function wrong(key: string, expected: Words): CaptiousError {
    return new CaptiousError('usage', say('lgip.optionInvalid', JSON.stringify(value(key)), key), {
      remedy: say('lgip.useExpected', expected),
    });
  }
}
