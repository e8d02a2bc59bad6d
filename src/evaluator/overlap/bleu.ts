import { longestNgram, type NgramCounts } from './ngrams';

/** The BLEU statistics of one caption. Their sums over all captions of a corpus give the corpus's BLEU. */
export interface BleuParts {
  /**
   * For each n-gram length, how many of the caption's n-grams occur in a reference. An n-gram counts at most
   * as often as it occurs in the reference that contains it most often.
   */
  correct: number[];
  guessed: number[];
  length: number;
  /** The length of the closest reference. Of two equally close references, the shorter one counts. */
  referenceLength: number;
}

// These constants of the COCO caption evaluation prevent divisions by zero.
const tiny = 1e-15;
const small = 1e-9;

export function bleuParts(candidate: NgramCounts, references: readonly NgramCounts[]): BleuParts {
  const correct = candidate.counts.map((counts, n) => {
    let total = 0;
    for (const [ngram, count] of counts) {
      let most = 0;
      for (const reference of references) most = Math.max(most, reference.counts[n].get(ngram) ?? 0);
      total += Math.min(count, most);
    }
    return total;
  });
  const { length } = candidate;
  const apart = (other: number): number => Math.abs(other - length);
  const referenceLength = references
    .map((reference) => reference.length)
    .reduce((best, other) =>
      apart(other) < apart(best) || (apart(other) === apart(best) && other < best) ? other : best,
    );
  return { correct, guessed: correct.map((_, n) => Math.max(0, length - n)), length, referenceLength };
}

export function noParts(): BleuParts {
  const zeros = (): number[] => Array.from({ length: longestNgram }, () => 0);
  return { correct: zeros(), guessed: zeros(), length: 0, referenceLength: 0 };
}

/** Adds the parts to the total, or subtracts them if `times` is −1. */
export function addParts(total: BleuParts, parts: BleuParts, times: 1 | -1 = 1): void {
  for (let n = 0; n < longestNgram; n++) {
    total.correct[n] += times * parts.correct[n];
    total.guessed[n] += times * parts.guessed[n];
  }
  total.length += times * parts.length;
  total.referenceLength += times * parts.referenceLength;
}

/** BLEU-1 to BLEU-4: geometric means of the precisions times the brevity penalty (Papineni et al. 2002). */
export function bleuOf({ correct, guessed, length, referenceLength }: BleuParts): number[] {
  const ratio = (length + tiny) / (referenceLength + small);
  const brevity = ratio < 1 ? Math.exp(1 - 1 / ratio) : 1;
  let product = 1;
  return correct.map((found, n) => {
    product *= (found + tiny) / (guessed[n] + small);
    return product ** (1 / (n + 1)) * brevity;
  });
}
