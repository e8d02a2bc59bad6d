/* Tests whether a word differs from every neutral word, so that no choice of the neutral word explains its effect. */
import { leastClusters } from '../../../stats/decisions/smallSample';
import { smallest } from '../../../base/extent';
import { say } from '../../../base/say';
import { pEquals } from '../../../base/pValue';
import { eachOf, type Steps } from '../../../base/turns/steps';
import type { Metric, Slice } from '../../metric';
import { Cell } from '../cell';
import type { InvarianceRow, InvarianceVariant } from '../row';
import { changesOf, type Group, pairsOf } from './contrasts';

export const eachNeutral: Slice = { against: 'each neutral word' };

/** The changes by adjectives and by neutral words, all against the caption without any word. */
export class BesideNeutral {
  private readonly neutral = new Map<string, Cell>();
  /** By the id of each word's test. */
  private readonly words = new Map<string, Cell>();

  /** Adds a change. Nouns do not count: a noun's neutral word is a noun, and no family has several of them. */
  add(row: InvarianceRow, { family, variant, againstText, score }: InvarianceVariant, image: number): void {
    const isNeutral = family === 'neutral';
    if (!isNeutral && !row.variants.some((one) => one.family === 'neutral' && one.text === againstText))
      return;
    const cells = isNeutral ? this.neutral : this.words;
    const key = isNeutral ? variant : `invariance.societal.${family}.${variant}.p`;
    const cell = cells.get(key) ?? new Cell();
    cells.set(key, cell);
    // The same text is scored once for each image, and its score is one observation.
    const reference = JSON.stringify([image, row.text]);
    const category = row.object?.category ?? '';
    cell.add({ score, against: row.score!, image, text: row.text, reference, category });
  }

  *metrics(): Steps<Metric[]> {
    const neutral = Array.from(this.neutral, ([name, cell]) => ({ name, cell }));
    return yield* eachOf(
      [...this.words].sort(([a], [b]) => (a < b ? -1 : 1)),
      ([id, cell]) => eachNeutralTest(id, cell, neutral),
    );
  }
}

/** A neutral word that fewer of the word's images have cannot be tested well, and shifts few of its changes. */
const leastShare = 0.5;

/**
 * The largest p value of the word against each neutral word on the images that have both (as for pairs of words),
 * or 1 if it scores higher than one and lower than another. A word that equals any neutral word is then found with at most
 * the probability of the level (intersection–union test). The changes are against the caption without any word.
 */
export function* eachNeutralTest(id: string, word: Cell, neutral: readonly Group[]): Steps<Metric> {
  const own = changesOf(word);
  const least = Math.max(leastClusters, leastShare * new Set(word.images).size);
  const found: { images: number; texts?: number; side: number; pValue: number; name: string }[] = [];
  for (const { name, cell } of neutral) {
    const [pair] = yield* pairsOf([own, changesOf(cell)]);
    if (pair === undefined || pair.tests[0].observations < least) continue;
    const [{ observations: images, side }, byText] = pair.tests;
    if (byText !== undefined && byText.observations < leastClusters) continue;
    found.push({ name, images, texts: byText?.observations, side, pValue: pair.pValue ?? 1 });
  }
  const metric: Metric = { id, value: null, n: word.shifts.length, slice: eachNeutral };
  if (found.length === 0) return { ...metric, note: say('invariance.noNeutralWord') };
  const weakest = found.reduce((a, b) => (b.pValue > a.pValue ? b : a));
  const isOneSided = found.every(({ side }) => side !== 0 && side === found[0].side);
  const images = smallest(found.map((one) => one.images));
  const texts = smallest(found.map((one) => one.texts ?? Infinity));
  return {
    ...metric,
    value: isOneSided ? weakest.pValue : 1,
    ...(images < metric.n ? { images } : {}),
    ...(texts < images ? { texts } : {}),
    note: isOneSided
      ? say('invariance.againstEachNeutral', found.length, weakest.name, pEquals(weakest.pValue))
      : say('invariance.betweenNeutralWords'),
  };
}
