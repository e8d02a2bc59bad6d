import { say, type Words } from '../../base/say';

/** The names of the metrics of filters in ids, such as "keepFlips@30". */
export const keepFlipsNames: Readonly<Record<string, Words>> = Object.fromEntries(
  Array.from({ length: 99 }, (_, at) => [`keepFlips@${at + 1}`, say('filter.flipsAt', at + 1)]),
);
