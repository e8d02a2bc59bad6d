import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { OptionSpec, OptionValue } from '../probe';

const key = 'leastOfWord';
const shapleyKey = 'shapley';
const regionsKey = 'regions';

export const explainOptions: readonly OptionSpec[] = [
  {
    key,
    title: say('explain.leastOfWordOption'),
    describe: 'The report lists single words that the captions of at least this many images have.',
    default: 10,
  },
  {
    key: shapleyKey,
    title: say('explain.shapleyOption'),
    describe:
      'Also compute the Shapley value of each word, which takes hundreds of texts for each caption: 64 with 6 words, 1,024 with 10, about 300 with 12. They are exact up to 10 words, else 32 orders are sampled.',
    default: false,
  },
  {
    key: regionsKey,
    title: say('explain.regionsOption'),
    describe:
      'Also hide each of 7×7 regions of the image, and measure how much of their influence is where the outlined objects are. Needs a file of objects (instances.json) next to the dataset, and takes 49 more images for each image.',
    default: false,
  },
];

export function wantsRegions(values: Readonly<Record<string, OptionValue>>): boolean {
  return values[regionsKey] === true;
}

export function wantsShapley(values: Readonly<Record<string, OptionValue>>): boolean {
  return values[shapleyKey] === true;
}

export function leastOfWordFrom(values: Readonly<Record<string, OptionValue>>): number {
  const value = values[key] ?? explainOptions[0].default;
  const given = Number(value);
  if (Number.isSafeInteger(given) && given >= 1) return given;
  throw new CaptiousError('usage', say('probe.optionValueInvalid', JSON.stringify(value), 'explain', key), {
    remedy: say('long.useNumberFrom', 1),
  });
}
