import { type CaptiousError, inputError } from '../base/errors';
import { type Said, say, type Words } from '../base/say';
import { listed, Tally } from '../base/text/tally';
import { languageOfFile, refusalOf } from '../perturb/text/fileLanguage';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import { captionsApart } from './apart';
import type { HalfTriplet } from './half';
import { mineByRules, minePairs } from './rules';
import { mineSpatial } from './spatial';

/**
 * How triplets are made. `spatial` inverts spatial statements, `pairs` adds a positive to each pair of a caption and
 * a negative, and `rules` uses captions alone.
 */
export const ways = ['spatial', 'pairs', 'rules'] as const;
export type Way = (typeof ways)[number];

export interface Mined {
  halves: HalfTriplet[];
  /** The number of skipped examples or rejected texts per reason. */
  leftOut: { reason: Words; count: number }[];
}

export interface MineOptions extends ReadOptions {
  seed: number;
  limit?: number;
}

/** The default method for a dataset. */
export function wayFor(dataset: Dataset): Way {
  if (dataset.format === 'vsr') return 'spatial';
  return dataset.form === 'pair' ? 'pairs' : 'rules';
}

export async function mine(dataset: Dataset, way: Way, options: MineOptions): Promise<Mined> {
  const { seed, limit = Infinity, ...reading } = options;
  if (way === 'spatial') {
    if (!dataset.columns.includes('relation')) throw unfit(dataset, way, say('mining.vsrRelationColumn'));
    const { halves, leftOut } = await mineSpatial(dataset.read(reading), reading.signal);
    return mined(dataset, way, halves.slice(0, limit), leftOut);
  }
  if (way === 'pairs' && dataset.form !== 'pair')
    throw unfit(dataset, way, say('mining.captionNegativePairs'));
  const language =
    way === 'rules' ? await languageOfFile(dataset.read({ signal: options.signal })) : undefined;
  if (refusalOf(language) !== undefined)
    throw inputError(
      say('mining.captionsNotEnglish', language ?? ''),
      say('mining.chooseEnglishCaptions'),
      dataset.path,
    );
  const leftOut = new Tally();
  const leaveOut = (reason: Words) => leftOut.add(reason);
  const found =
    way === 'pairs'
      ? minePairs(dataset.read(reading), leaveOut, reading.signal)
      : mineByRules(dataset.read(reading), seed, language, leaveOut, {
          signal: reading.signal,
          apart: await captionsApart(dataset.read({ signal: reading.signal }), reading.signal),
        });
  const halves: HalfTriplet[] = [];
  for await (const half of found) {
    if (halves.length >= limit) break;
    halves.push(half);
  }
  return mined(dataset, way, halves, leftOut.list);
}

/** Sorts the reasons by frequency. Throws if there are no triplets. */
export function mined(dataset: Dataset, way: Way, halves: HalfTriplet[], reasons: Tally['list']): Mined {
  const leftOut = reasons.toSorted((a, b) => b.count - a.count);
  if (halves.length > 0)
    return { halves, leftOut: leftOut.map(({ words, count }) => ({ reason: words, count })) };
  if (leftOut.length === 0)
    throw inputError(say('mining.noReadableExample'), say('mining.chooseFileWithCaptions'), dataset.path);
  const other = wayFor(dataset);
  throw inputError(
    say('mining.noTriplets', listed(leftOut)),
    other === way ? remedyOf(way) : say('mining.tryOtherWay', other),
    dataset.path,
  );
}

function remedyOf(way: Way): Said {
  return way === 'spatial' ? say('mining.useMoreVsr') : say('mining.chooseOtherCaptions');
}

function unfit(dataset: Dataset, way: Way, needed: Words): CaptiousError {
  return inputError(
    say('mining.wrongFormatForWay', way, needed, dataset.format),
    say('mining.tryOtherWay', wayFor(dataset)),
    dataset.path,
  );
}
