/* Finds items that are nearly the same as an earlier one, by MinHash. */
import type { Steps } from '../../base/turns/steps';
import { type Corpus, Lists } from './blind/corpus';
import { alike, bandKey, bands, BandTable, hashes, leastSimilar, sign } from './minHash';

/** The most items of a band that an item is compared with: the last ones. */
const mostCompared = 20;
const stepEvery = 10_000;

/** Which items ask nearly the same as an earlier one. */
export function* similarItems(corpus: Corpus): Steps<Uint8Array> {
  return Uint8Array.from(yield* earlierLike(corpus), (other) => (other < 0 ? 0 : 1));
}

/**
 * For each item an earlier one that asks nearly the same, or -1: their right captions, and their wrong ones, share words and
 * pairs of words. Their images may differ. Items with the same number in `groups` are not compared.
 */
export function* earlierLike(
  corpus: Corpus,
  groups: ArrayLike<number> = corpus.items.map((_, i) => i),
): Steps<Int32Array> {
  const features = featuresOf(corpus);
  yield;
  const half = corpus.wordCount + corpus.pairCount;
  const found = new Int32Array(corpus.items.length).fill(-1);
  const signatures = new Uint32Array(found.length * hashes);
  for (let item = 0; item < found.length; item++) {
    if (item % stepEvery === 0) yield;
    sign(features.at(item), signatures, item * hashes);
  }
  for (let band = 0; band < bands; band++) {
    yield;
    for (const group of new BandTable(signatures, band).groups()) {
      const buckets = new Map<string, number[]>();
      for (const item of group) {
        const key = bandKey(signatures, item, band);
        const bucket = buckets.get(key);
        if (bucket === undefined) buckets.set(key, [item]);
        else {
          const own = features.at(item);
          if (found[item] < 0)
            found[item] =
              bucket.find(
                (other) => groups[other] !== groups[item] && isLike(own, features.at(other), half),
              ) ?? -1;
          bucket.push(item);
          if (bucket.length > mostCompared) bucket.shift();
        }
      }
    }
  }
  return found;
}

/** The distinct words and pairs of each item, apart for right and wrong captions, in ascending order. */
function featuresOf({ items, options, words, pairs, wordCount, pairCount }: Corpus): Lists {
  const all = wordCount + pairCount;
  const lists = new Lists();
  for (const [i, { right }] of items.entries()) {
    const own = new Set<number>();
    for (const [c, text] of options.at(i).entries()) {
      const role = c === right ? 0 : all;
      for (const word of words.at(text)) own.add(role + word);
      for (const pair of pairs.at(text)) own.add(role + wordCount + pair);
    }
    lists.add([...own].sort((a, b) => a - b));
  }
  return lists;
}

/** Whether an item is like another one, and less like it with right and wrong exchanged. `half`: where wrong ones begin. */
function isLike(own: Uint32Array, other: Uint32Array, half: number): boolean {
  const found = alike(own, other);
  if (found < leastSimilar) return false;
  const wrong = other.filter((feature) => feature >= half).map((feature) => feature - half);
  const right = other.filter((feature) => feature < half).map((feature) => feature + half);
  return found >= alike(own, Uint32Array.of(...wrong, ...right));
}
