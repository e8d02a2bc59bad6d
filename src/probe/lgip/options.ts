import { CaptiousError } from '../../base/errors';
import type { PerturbOptions } from '../../perturb/text/perturb';
import type { OptionSpec, OptionValue } from '../probe';

export const lgipOptions: readonly OptionSpec[] = [
  {
    key: 'asInPaper',
    describe:
      'Fill the templates as the paper does ("a photo of A man…"); off: with the capital lowered, and only where the template fits.',
    default: true,
  },
  {
    key: 'capitals',
    describe:
      'A flip also matches a word with a capital ("Two dogs"). Off, flips are as frequent as in the paper (0.40 a caption on COCO, not 0.46).',
    default: true,
  },
  { key: 'mostParaphrases', describe: 'Paraphrases kept of a caption.', default: 6 },
  { key: 'mostFlips', describe: 'Flips kept of a caption.', default: 6 },
  { key: 'mostCombined', describe: 'Flipped paraphrases kept of a caption; 0 leaves them out.', default: 6 },
  { key: 'leastLength', describe: 'A variant with fewer characters is dropped.', default: 5 },
  {
    key: 'alpha',
    describe: 'Share of the type in the strength of a flip; the rest is distance.',
    default: 0.5,
  },
  {
    key: 'given',
    describe:
      'Variants that the dataset brings along: score them in place of generated ones, or ignore them.',
    default: 'use',
    choices: ['use', 'ignore'],
  },
  {
    key: 'beyondVocabulary',
    describe: 'Beyond the paper: flips from larger vocabularies, with agreement and a sense check.',
    default: false,
  },
  { key: 'beyondNegation', describe: 'Beyond the paper: captions that deny what they said.', default: false },
  {
    key: 'beyondRelation',
    describe: 'Beyond the paper: under for on, behind for in front of.',
    default: false,
  },
  { key: 'beyondMulti', describe: 'Beyond the paper: several attributes flipped at once.', default: false },
];

export interface LgipOptions extends PerturbOptions {
  alpha: number;
  given: 'use' | 'ignore';
}

export function lgipOptionsFrom(values: Readonly<Record<string, OptionValue>>): LgipOptions {
  const value = (key: string): OptionValue =>
    values[key] ?? lgipOptions.find((spec) => spec.key === key)!.default;
  const flag = (key: string): boolean => value(key) === true;
  const count = (key: string): number => {
    const given = Number(value(key));
    if (Number.isSafeInteger(given) && given >= 0) return given;
    throw wrong(key, 'a whole number, zero or more');
  };
  const alpha = Number(value('alpha'));
  if (!(alpha >= 0 && alpha <= 1)) throw wrong('alpha', 'a number between 0 and 1');
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
  };

  function wrong(key: string, expected: string): CaptiousError {
    return new CaptiousError('usage', `${JSON.stringify(value(key))} is no value of lgip.${key}.`, {
      remedy: `Give ${expected}.`,
    });
  }
}
