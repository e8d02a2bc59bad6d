/* Finds items that are nearly the same as an earlier one, by MinHash. */
import { Xoshiro } from '../../base/xoshiro';
import { type Corpus, Lists } from './blind/corpus';

const bands = 16;
const rowsOfBand = 4;
const hashes = bands * rowsOfBand;
/** Items with at least this share of common words and pairs of words are similar. */
const leastSimilar = 0.8;
/** The most items of a band that an item is compared with: the last ones. */
const mostCompared = 20;

/** Which items ask nearly the same as an earlier one. */
export function similarItems(corpus: Corpus): Uint8Array {
  return Uint8Array.from(earlierLike(corpus), (other) => (other < 0 ? 0 : 1));
}

/**
 * For each item an earlier one that asks nearly the same, or -1: their right captions, and their wrong ones, share words and
 * pairs of words. Their images may differ. Items with the same number in `groups` are not compared.
 */
export function earlierLike(
  corpus: Corpus,
  groups: ArrayLike<number> = corpus.items.map((_, i) => i),
): Int32Array {
  const features = featuresOf(corpus);
  const half = corpus.wordCount + corpus.pairCount;
  const signatures = signaturesOf(features, corpus.items.length);
  const found = new Int32Array(corpus.items.length).fill(-1);
  for (let band = 0; band < bands; band++) {
    const buckets = new Map<string, number[]>();
    for (let item = 0; item < found.length; item++) {
      const at = item * hashes + band * rowsOfBand;
      const key = signatures.subarray(at, at + rowsOfBand).join(' ');
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [item]);
      else {
        const own = features.at(item);
        if (found[item] < 0)
          found[item] =
            bucket.find((other) => groups[other] !== groups[item] && isLike(own, features.at(other), half)) ??
            -1;
        bucket.push(item);
        if (bucket.length > mostCompared) bucket.shift();
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

function signaturesOf(features: Lists, items: number): Uint32Array {
  const draws = new Xoshiro(Uint32Array.of(1, 2, 3, 4));
  const [factors, shifts] = [0, 1].map(() => Uint32Array.from({ length: hashes }, () => draws.bits() | 1));
  const signatures = new Uint32Array(items * hashes).fill(0xffffffff);
  for (let item = 0; item < items; item++)
    for (const feature of features.at(item))
      for (let h = 0; h < hashes; h++) {
        const mixed = Math.imul(feature ^ shifts[h], factors[h]);
        const hash = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
        const at = item * hashes + h;
        if (hash < signatures[at]) signatures[at] = hash;
      }
  return signatures;
}

/** Whether an item is like another one, and less like it with right and wrong exchanged. `half`: where wrong ones begin. */
function isLike(own: Uint32Array, other: Uint32Array, half: number): boolean {
  const found = alike(own, other);
  if (found < leastSimilar) return false;
  const wrong = other.filter((feature) => feature >= half).map((feature) => feature - half);
  const right = other.filter((feature) => feature < half).map((feature) => feature + half);
  return found >= alike(own, Uint32Array.of(...wrong, ...right));
}

/** The Jaccard index of two ascending lists. */
function alike(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      common++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  const both = a.length + b.length - common;
  return both === 0 ? 1 : common / both;
}
