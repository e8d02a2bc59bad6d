import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { OptionSpec, OptionValue } from '../probe';

const key = 'leastOfWord';

export const explainOptions: readonly OptionSpec[] = [
  {
    key,
    title: say('explain.leastOfWordOption'),
    describe: 'The report lists single words that the captions of at least this many images have.',
    default: 10,
  },
];

export function leastOfWordFrom(values: Readonly<Record<string, OptionValue>>): number {
  const value = values[key] ?? explainOptions[0].default;
  const given = Number(value);
  if (Number.isSafeInteger(given) && given >= 1) return given;
  throw new CaptiousError('usage', say('probe.optionValueInvalid', JSON.stringify(value), 'explain', key), {
    remedy: say('long.useNumberFrom', 1),
  });
}
