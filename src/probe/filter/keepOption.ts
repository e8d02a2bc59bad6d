/* The option that says which share of the captions a filter keeps. */
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { OptionSpec, OptionValue } from '../probe';

export const keepOption: OptionSpec = {
  key: 'keep',
  title: say('filter.keepOption'),
  describe:
    'Percentages of captions that a filter by this score keeps, separated by commas. For each, the report has the share of keep or drop decisions that changes without a change of meaning reverse (keepFlips).',
  default: '30',
};

/** The percentages in ascending order, each once. "30%" means 30. */
export function keptPercents(probe: string, value: OptionValue | undefined): number[] {
  const text = String(value ?? keepOption.default);
  const parts = text.split(',').map((part) => part.trim().replace(/%$/, '').trim());
  if (!parts.every((part) => /^[1-9]\d?$/.test(part)))
    throw new CaptiousError(
      'usage',
      say('probe.optionValueInvalid', JSON.stringify(text), probe, keepOption.key),
      { remedy: say('filter.usePercents') },
    );
  return [...new Set(parts.map(Number))].sort((a, b) => a - b);
}
