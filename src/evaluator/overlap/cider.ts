import { largest } from '../../base/extent';
import { longestNgram, type NgramCounts } from './ngrams';

/** The width of CIDEr-D's length penalty, and the factor of its scores. */
const sigma = 6;
const factor = 10;

/** Counts, for each n-gram, the images whose references contain it. */
export class DocumentFrequencies {
  /** For each n-gram: how many images have it in a reference, and the index (from 1) of the last such image. */
  private readonly images: number[] = [];
  private readonly last: number[] = [];
  private readonly logs: number[] = [];
  private total = 0;
  private logTotal = -Infinity;

  add(references: readonly NgramCounts[]): void {
    this.logTotal = Math.log(++this.total);
    for (const { lists } of references)
      for (const { ngrams } of lists)
        for (const ngram of ngrams) {
          if (this.last[ngram] === this.total) continue;
          this.last[ngram] = this.total;
          this.images[ngram] = (this.images[ngram] ?? 0) + 1;
        }
  }

  /** The logarithm of the inverse document frequency. An n-gram in no reference counts as if one image had it. */
  weight(ngram: number): number {
    const images = Math.max(1, this.images[ngram] ?? 0);
    return this.logTotal - (this.logs[images] ??= Math.log(images));
  }
}

interface Vector {
  /** For each n-gram length: the n-grams, their weights, and the Euclidean norm of the weights. */
  parts: { ngrams: readonly number[]; weights: number[]; norm: number }[];
  /** The number of bigrams. The reference implementation uses it as the length of a caption. */
  length: number;
}

/** CIDEr-D (Vedantam et al. 2015), printed as CIDEr by the COCO caption evaluation. */
export class Cider {
  /** The vectors of captions. They are cached, because most captions are references of several candidates. */
  private readonly vectors = new WeakMap<NgramCounts, Vector>();
  /** The weights of one reference, indexed by n-gram. */
  private weights = new Float64Array(1 << 16);

  constructor(private readonly frequencies: DocumentFrequencies) {}

  score(candidate: NgramCounts, references: readonly NgramCounts[]): number {
    const own = this.vector(candidate);
    let sum = 0;
    for (const reference of references) sum += this.similarity(own, this.vector(reference));
    return (factor * sum) / (longestNgram * references.length);
  }

  private vector(counted: NgramCounts): Vector {
    const known = this.vectors.get(counted);
    if (known !== undefined) return known;
    const parts = counted.lists.map(({ ngrams, counts }) => {
      const weights = ngrams.map((ngram, i) => counts[i] * this.frequencies.weight(ngram));
      let squares = 0;
      for (const weight of weights) squares += weight ** 2;
      return { ngrams, weights, norm: Math.sqrt(squares) };
    });
    const highest = parts.reduce((most, { ngrams }) => Math.max(most, largest(ngrams)), 0);
    if (highest >= this.weights.length) this.weights = new Float64Array(2 * highest);
    const made = { parts, length: Math.max(0, counted.length - 1) };
    this.vectors.set(counted, made);
    return made;
  }

  /** Adds the clipped cosines of all n-gram lengths. A difference in length lowers the sum. */
  private similarity(candidate: Vector, reference: Vector): number {
    const penalty = Math.exp(-((candidate.length - reference.length) ** 2) / (2 * sigma ** 2));
    const { weights } = this;
    let total = 0;
    for (let n = 0; n < longestNgram; n++) {
      const own = candidate.parts[n];
      const other = reference.parts[n];
      for (let i = 0; i < other.ngrams.length; i++) weights[other.ngrams[i]] = other.weights[i];
      let dot = 0;
      for (let i = 0; i < own.ngrams.length; i++) {
        const weight = weights[own.ngrams[i]];
        dot += Math.min(own.weights[i], weight) * weight;
      }
      for (const ngram of other.ngrams) weights[ngram] = 0;
      const norms = own.norm * other.norm;
      total += norms === 0 ? dot : dot / norms;
    }
    return total * penalty;
  }
}
