import { CaptiousError } from '../base/errors';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import type { HalfTriplet } from './half';
import { minePairs, mineByRules } from './rules';
import { mineSpatial } from './spatial';

/**
 * - `spatial`: statements about where things are, turned round;
 * - `pairs`: a caption and its negative, waiting for a second positive;
 * - `rules`: captions, with rules for both.
 */
export const ways = ['spatial', 'pairs', 'rules'] as const;
export type Way = (typeof ways)[number];

export interface Mined {
  halves: HalfTriplet[];
  /** Of spatial mining: what became nothing, by the reason. */
  leftOut: { reason: string; count: number }[];
}

export interface MineOptions extends ReadOptions {
  seed: number;
  /** Stop after so many. */
  limit?: number;
}

/** The way that the kind of a dataset asks for. */
export function wayFor(dataset: Dataset): Way {
  if (dataset.format === 'vsr') return 'spatial';
  return dataset.form === 'pair' ? 'pairs' : 'rules';
}

export async function mine(dataset: Dataset, way: Way, options: MineOptions): Promise<Mined> {
  const { seed, limit = Infinity, ...reading } = options;
  if (way === 'spatial') {
    if (!dataset.columns.includes('relation')) throw unfit(dataset, 'a column "relation", as VSR has');
    const { halves, leftOut } = await mineSpatial(dataset.read(reading));
    return {
      halves: halves.slice(0, limit),
      leftOut: [...leftOut].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    };
  }
  if (way === 'pairs' && dataset.form !== 'pair') throw unfit(dataset, 'pairs of a caption and a negative');
  const found = way === 'pairs' ? minePairs(dataset.read(reading)) : mineByRules(dataset.read(reading), seed);
  const halves: HalfTriplet[] = [];
  for await (const half of found) {
    if (halves.length >= limit) break;
    halves.push(half);
  }
  return { halves, leftOut: [] };
}

function unfit(dataset: Dataset, needed: string): CaptiousError {
  return new CaptiousError('input', `This way of mining needs ${needed}; the file is ${dataset.format}.`, {
    at: dataset.path,
    remedy: `Try --how ${wayFor(dataset)}.`,
  });
}
