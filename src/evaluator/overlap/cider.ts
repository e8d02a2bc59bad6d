import { longestNgram, type NgramCounts } from './ngrams';

/** The width of the length penalty and the factor of the score, as in CIDEr-D. */
const sigma = 6;
const factor = 10;

/** The number of images whose references contain each n-gram. */
export class DocumentFrequencies {
  private readonly images = new Map<number, number>();
  private total = 0;

  add(references: readonly NgramCounts[]): void {
    this.total++;
    for (let n = 0; n < longestNgram; n++) {
      const distinct = new Set(references.flatMap(({ counts }) => [...counts[n].keys()]));
      for (const ngram of distinct) this.images.set(ngram, (this.images.get(ngram) ?? 0) + 1);
    }
  }

  /** The log of the inverse document frequency. An n-gram in no reference counts as if it were in one image. */
  weight(ngram: number): number {
    return Math.log(this.total) - Math.log(Math.max(1, this.images.get(ngram) ?? 0));
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
  constructor(private readonly frequencies: DocumentFrequencies) {}

  score(candidate: NgramCounts, references: readonly NgramCounts[]): number {
    const own = this.vector(candidate);
    let sum = 0;
    for (const reference of references) sum += similarity(own, this.vector(reference));
    return (factor * sum) / (longestNgram * references.length);
  }

  private vector({ counts, length }: NgramCounts): Vector {
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
    return { weights, norms, length: Math.max(0, length - 1) };
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
