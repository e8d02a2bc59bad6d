import { usageError } from '../../base/errors';
import { listed } from '../../base/lists';
import { say } from '../../base/say';
import type { OptionSpec, OptionValue } from '../probe';

export interface HumanOptions {
  /** Columns that name the system that generated a caption. */
  system: readonly string[];
  /** Systems that are excluded from the ranking of systems and from the accuracy with ties. */
  exclude: readonly string[];
  /** The systems of the evaluator's own family. */
  family: readonly string[];
  ownCaptions: boolean;
  /** For preferences: the number of references per draw; 0 uses all references. */
  drawn: number;
  /** For preferences: the number of random draws. */
  draws: number;
  /** The numbers of references for FOIL. */
  foil: readonly number[];
}

export const optionSpecs: readonly OptionSpec[] = [
  {
    key: 'system',
    title: say('human.systemColumns'),
    describe:
      'Columns that name the system of a caption, separated by commas. If an example has two captions, the columns have these names with 1 and 2, or _a and _b, at the end.',
    default: 'system,model,source',
  },
  {
    key: 'exclude',
    title: say('human.systemsLeftOut'),
    describe:
      "Systems to leave out of the ranking of systems and of the accuracy with ties, separated by commas. CapArena's ranking leaves out human captions.",
    default: 'human',
  },
  {
    key: 'family',
    title: say('human.ownFamily'),
    describe:
      "Systems of the evaluator's own family of models, separated by commas. The report then says whether its errors favour their captions.",
    default: '',
  },
  {
    key: 'ownCaptions',
    title: say('human.countOwnCaptions'),
    describe: 'For Flickr8k: also count candidates that are captions of the same image.',
    default: false,
  },
  {
    key: 'drawn',
    title: say('human.referencesPerPreference'),
    describe:
      'For Pascal-50S: number of references to draw at random for each preference. 0 uses all references.',
    default: 5,
  },
  {
    key: 'draws',
    title: say('human.drawsPerPreference'),
    describe:
      'For Pascal-50S: number of random draws for each preference. The accuracy is the mean over the draws.',
    default: 5,
  },
  {
    key: 'foil',
    title: say('human.foilReferenceCounts'),
    describe:
      'For FOIL: the numbers of references to use, separated by commas. Each number gives a separate metric.',
    default: '1,4',
  },
];

export function readOptions(options: Readonly<Record<string, OptionValue>>): HumanOptions {
  const whole = (key: string, value: OptionValue, least: number): number => {
    const number = Number(value);
    if (String(value).trim() === '' || !Number.isSafeInteger(number) || number < least || number > 1000)
      throw usageError(say('human.optionInvalid', String(value), key), say('human.useWholeNumber', least));
    return number;
  };
  return {
    system: listed(options.system),
    exclude: listed(options.exclude),
    family: listed(options.family ?? ''),
    ownCaptions: options.ownCaptions === true,
    drawn: whole('drawn', options.drawn, 0),
    draws: whole('draws', options.draws, 1),
    foil: listed(options.foil).map((text) => whole('foil', text, 1)),
  };
}
