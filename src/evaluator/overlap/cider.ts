import { longestNgram, type NgramCounts } from './ngrams';

/** The width of the length penalty and the factor of the score, as in CIDEr-D. */
const sigma = 6;
const factor = 10;

/** The number of images whose references contain each n-gram. */
export class DocumentFrequencies {
  /** By n-gram: the number of images, and the last of them. */
  private readonly images: number[] = [];
  private readonly last: number[] = [];
  private readonly logs: number[] = [];
  private total = 0;

  add(references: readonly NgramCounts[]): void {
    this.total++;
    for (const { counts } of references)
      for (const of of counts)
        for (const ngram of of.keys()) {
          if (this.last[ngram] === this.total) continue;
          this.last[ngram] = this.total;
          this.images[ngram] = (this.images[ngram] ?? 0) + 1;
        }
  }

  /** The log of the inverse document frequency. An n-gram in no reference counts as if it were in one image. */
  weight(ngram: number): number {
    const images = Math.max(1, this.images[ngram] ?? 0);
    return Math.log(this.total) - (this.logs[images] ??= Math.log(images));
  }
}

interface Vector {
  weights: Map<number, number>[];
  norms: number[];
  /** The number of bigrams, by which the reference implementation measures length. */
  length: number;
}

/** CIDEr-D (Vedantam et al. 2015), which the COCO caption evaluation prints as CIDEr. */
export class Cider {
  /** Most captions are references of several candidates. */
  private readonly vectors = new WeakMap<NgramCounts, Vector>();

  constructor(private readonly frequencies: DocumentFrequencies) {}

  score(candidate: NgramCounts, references: readonly NgramCounts[]): number {
    const own = this.vector(candidate);
    let sum = 0;
    for (const reference of references) sum += similarity(own, this.vector(reference));
    return (factor * sum) / (longestNgram * references.length);
  }

  private vector(counted: NgramCounts): Vector {
    const known = this.vectors.get(counted);
    if (known !== undefined) return known;
    const { counts, length } = counted;
    const norms: number[] = [];
    const weights = counts.map((of) => {
      const weighted = new Map<number, number>();
      let squares = 0;
      for (const [ngram, count] of of) {
        const weight = count * this.frequencies.weight(ngram);
        weighted.set(ngram, weight);
        squares += weight ** 2;
      }
      norms.push(Math.sqrt(squares));
      return weighted;
    });
    const made = { weights, norms, length: Math.max(0, length - 1) };
    this.vectors.set(counted, made);
    return made;
  }
}

/** The sum over n-gram lengths of clipped cosines, reduced if the texts differ in length. */
function similarity(candidate: Vector, reference: Vector): number {
  const penalty = Math.exp(-((candidate.length - reference.length) ** 2) / (2 * sigma ** 2));
  let total = 0;
  for (let n = 0; n < longestNgram; n++) {
    let dot = 0;
    for (const [ngram, weight] of candidate.weights[n]) {
      const other = reference.weights[n].get(ngram) ?? 0;
      dot += Math.min(weight, other) * other;
    }
    const norms = candidate.norms[n] * reference.norms[n];
    total += norms === 0 ? dot : dot / norms;
  }
  return total * penalty;
}
