import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { OptionSpec, OptionValue } from '../probe';

export const longOptions: readonly OptionSpec[] = [
  {
    key: 'leastSentences',
    title: say('long.sentencesOption'),
    describe: 'Captions with fewer sentences are left out.',
    default: 3,
  },
  {
    key: 'mostErrors',
    title: say('long.errorsOption'),
    describe:
      'Maximum number of errors planted in a caption, each in a variant of its own. Each tenth of a caption gets at most one error of each kind.',
    default: 20,
  },
];

export interface LongOptions {
  leastSentences: number;
  mostErrors: number;
}

export function longOptionsFrom(values: Readonly<Record<string, OptionValue>>): LongOptions {
  const count = (key: string, least: number): number => {
    const value = values[key] ?? longOptions.find((spec) => spec.key === key)!.default;
    const given = Number(value);
    if (Number.isSafeInteger(given) && given >= least) return given;
    throw new CaptiousError('usage', say('probe.optionValueInvalid', JSON.stringify(value), 'long', key), {
      remedy: say('long.useNumberFrom', least),
    });
  };
  return { leastSentences: count('leastSentences', 2), mostErrors: count('mostErrors', 0) };
}
