import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import type { HalfTriplet } from './half';
import { minePairs, mineByRules } from './rules';
import { mineSpatial } from './spatial';

/**
 * `spatial` inverts statements of place, `pairs` completes a caption and its negative, and `rules` starts from
 * captions alone.
 */
export const ways = ['spatial', 'pairs', 'rules'] as const;
export type Way = (typeof ways)[number];

export interface Mined {
  halves: HalfTriplet[];
  /** Only for spatial mining: statements without a triplet, by reason. */
  leftOut: { reason: string; count: number }[];
}

export interface MineOptions extends ReadOptions {
  seed: number;
  limit?: number;
}

/** The default method for a dataset's kind. */
export function wayFor(dataset: Dataset): Way {
  if (dataset.format === 'vsr') return 'spatial';
  return dataset.form === 'pair' ? 'pairs' : 'rules';
}

export async function mine(dataset: Dataset, way: Way, options: MineOptions): Promise<Mined> {
  const { seed, limit = Infinity, ...reading } = options;
  if (way === 'spatial') {
    if (!dataset.columns.includes('relation')) throw unfit(dataset, say`a column "relation", as VSR has`);
    const { halves, leftOut } = await mineSpatial(dataset.read(reading));
    return {
      halves: halves.slice(0, limit),
      leftOut: [...leftOut].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    };
  }
  if (way === 'pairs' && dataset.form !== 'pair')
    throw unfit(dataset, say`pairs of a caption and a negative`);
  const found = way === 'pairs' ? minePairs(dataset.read(reading)) : mineByRules(dataset.read(reading), seed);
  const halves: HalfTriplet[] = [];
  for await (const half of found) {
    if (halves.length >= limit) break;
    halves.push(half);
  }
  return { halves, leftOut: [] };
}

function unfit(dataset: Dataset, needed: Words): CaptiousError {
  return new CaptiousError(
    'input',
    say`This method of mining needs ${needed}, but the file is ${dataset.format}.`,
    {
      at: dataset.path,
      remedy: say`Try --how ${wayFor(dataset)}.`,
    },
  );
}
