import { bleuOf, bleuParts, type BleuParts } from './bleu';
import { Cider, DocumentFrequencies } from './cider';
import { type NgramCounts, Ngrams } from './ngrams';
import { captionWords } from './ptb';
import { rougeL } from './rouge';

/** Reference-based metrics by id. `cider` means CIDEr-D, as in the COCO caption evaluation. */
export const overlapMetrics = [
  'bleu-1',
  'bleu-2',
  'bleu-3',
  'bleu-4',
  'rouge-l',
  'cider',
  'cider-d',
] as const;
export type OverlapMetric = (typeof overlapMetrics)[number];

/** Their names in reports. */
export const overlapNames: Readonly<Record<OverlapMetric, string>> = {
  'bleu-1': 'BLEU-1',
  'bleu-2': 'BLEU-2',
  'bleu-3': 'BLEU-3',
  'bleu-4': 'BLEU-4',
  'rouge-l': 'ROUGE-L',
  cider: 'CIDEr-D',
  'cider-d': 'CIDEr-D',
};

export interface ReferencedCaption {
  caption: string;
  references: readonly string[];
}

export interface OverlapScores {
  /** One score per caption. */
  each: Map<OverlapMetric, Float64Array>;
  /** One entry per caption, so that any part of the corpus gets its own BLEU. */
  bleu: BleuParts[];
}

/** For how many texts the words stay in memory. */
const mostRemembered = 1 << 17;

/** Scores single captions. `corpus`: the references in which document frequencies are counted. */
export class OverlapScorer {
  private readonly ngrams = new Ngrams();
  private readonly words = memo(captionWords);
  // A no-break space splits a token for BLEU and CIDEr, but not for ROUGE-L.
  private readonly divided = memo((text) => this.ngrams.count(divide(text)));
  private cider: Cider | undefined;

  constructor(private readonly corpus: readonly (readonly string[])[]) {}

  score(metric: OverlapMetric, caption: string, references: readonly string[]): number {
    if (metric === 'rouge-l')
      return rougeL(atLeastOne(this.words(caption)), references.map(this.words).map(atLeastOne));
    const candidate = this.divided(caption);
    const counted = references.map(this.divided);
    if (metric === 'cider' || metric === 'cider-d') {
      this.cider ??= new Cider(frequenciesIn(this.corpus, this.divided));
      return this.cider.score(candidate, counted);
    }
    return bleuOf(bleuParts(candidate, counted))[Number(metric.slice(-1)) - 1];
  }
}

function divide(text: string): string[] {
  return captionWords(text)
    .join(' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}

function frequenciesIn(
  corpus: readonly (readonly string[])[],
  counts: (text: string) => NgramCounts,
): DocumentFrequencies {
  const frequencies = new DocumentFrequencies();
  for (const references of corpus) frequencies.add(references.map(counts));
  return frequencies;
}

/**
 * Scores captions against their references. `corpus`: the references in which document frequencies are
 * counted.
 */
export function scoreOverlap(
  items: readonly ReferencedCaption[],
  metrics: readonly OverlapMetric[],
  corpus: readonly (readonly string[])[] = items.map(({ references }) => references),
): OverlapScores {
  const ngrams = new Ngrams();
  const divided = memo((text) => ngrams.count(divide(text)));
  const each = new Map(metrics.map((metric) => [metric, new Float64Array(items.length)]));
  const cider = new Cider(frequenciesIn(each.has('cider') || each.has('cider-d') ? corpus : [], divided));
  const words = memo(captionWords);
  const bleu: BleuParts[] = [];
  items.forEach(({ caption, references }, i) => {
    const candidate = divided(caption);
    const counted = references.map(divided);
    const parts = bleuParts(candidate, counted);
    bleu.push(parts);
    const bleus = bleuOf(parts);
    for (const [metric, scores] of each) {
      if (metric === 'rouge-l')
        scores[i] = rougeL(atLeastOne(words(caption)), references.map(words).map(atLeastOne));
      else if (metric === 'cider' || metric === 'cider-d') scores[i] = cider.score(candidate, counted);
      else scores[i] = bleus[Number(metric.slice(-1)) - 1];
    }
  });
  return { each, bleu };
}

/** For ROUGE-L, a caption without words is one empty word. */
function atLeastOne(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [''] : words;
}

function memo<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size === mostRemembered) known.clear();
      known.set(text, (value = of(text)));
    }
    return value;
  };
}
