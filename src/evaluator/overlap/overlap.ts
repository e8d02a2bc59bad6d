import { bleuOf, bleuParts, type BleuParts } from './bleu';
import { Cider, DocumentFrequencies } from './cider';
import { Meteor, meteorOf, type MeteorParts } from './meteor/meteor';
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
  'meteor',
  'cider',
  'cider-d',
] as const;
export type OverlapMetric = (typeof overlapMetrics)[number];

export const overlapNames: Readonly<Record<OverlapMetric, string>> = {
  'bleu-1': 'BLEU-1',
  'bleu-2': 'BLEU-2',
  'bleu-3': 'BLEU-3',
  'bleu-4': 'BLEU-4',
  'rouge-l': 'ROUGE-L',
  meteor: 'METEOR without paraphrases',
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
  /** One entry per caption, so that the BLEU and METEOR of any subset can be computed. Empty if not requested. */
  bleu: BleuParts[];
  meteor: MeteorParts[];
}

/** The most characters of a caption, because comparison time grows with the product of lengths. */
export function mostCaption(metrics: readonly OverlapMetric[]): number {
  return metrics.includes('meteor') ? 3000 : 20_000;
}

/** The size at which a cache of tokenised texts is cleared. */
const mostRemembered = 1 << 17;

/** Scores single captions. `corpus` has the references of each image, for the document frequencies of CIDEr. */
export class OverlapScorer {
  private readonly ngrams = new Ngrams();
  private readonly tokens = memo(captionWords);
  // A no-break space separates words for BLEU and CIDEr, but not for ROUGE-L. The METEOR code splits words itself.
  private readonly divided = memo((text) => this.ngrams.count(divide(this.tokens(text))));
  private cider: Cider | undefined;
  private ownMeteor: Meteor | undefined;

  constructor(private readonly corpus: readonly (readonly string[])[]) {}

  score(metric: OverlapMetric, caption: string, references: readonly string[]): number {
    if (metric === 'rouge-l')
      return rougeL(atLeastOne(this.tokens(caption)), references.map(this.tokens).map(atLeastOne));
    if (metric === 'meteor') return meteorOf(this.meteor(caption, references));
    if (metric === 'cider' || metric === 'cider-d') {
      this.cider ??= new Cider(frequenciesIn(this.corpus, this.divided));
      return this.cider.score(this.divided(caption), references.map(this.divided));
    }
    return bleuOf(this.bleu(caption, references))[Number(metric.slice(-1)) - 1];
  }

  bleu(caption: string, references: readonly string[]): BleuParts {
    return bleuParts(this.divided(caption), references.map(this.divided));
  }

  meteor(caption: string, references: readonly string[]): MeteorParts {
    const line = (text: string): string => this.tokens(text).join(' ');
    this.ownMeteor ??= new Meteor();
    return this.ownMeteor.parts(line(caption), references.map(line));
  }
}

function divide(tokens: readonly string[]): readonly string[] {
  if (!tokens.some((token) => token === '' || /\s/u.test(token))) return tokens;
  return tokens
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

/** Scores captions against their references. `corpus` has the references of each image, for CIDEr. */
export function scoreOverlap(
  items: readonly ReferencedCaption[],
  metrics: readonly OverlapMetric[],
  corpus: readonly (readonly string[])[] = items.map(({ references }) => references),
): OverlapScores {
  const scorer = new OverlapScorer(corpus);
  const bleu = metrics.some((metric) => metric.startsWith('bleu'))
    ? items.map(({ caption, references }) => scorer.bleu(caption, references))
    : [];
  const meteor = metrics.includes('meteor')
    ? items.map(({ caption, references }) => scorer.meteor(caption, references))
    : [];
  const scoreOf = (metric: OverlapMetric, i: number): number => {
    if (metric.startsWith('bleu')) return bleuOf(bleu[i])[Number(metric.slice(-1)) - 1];
    if (metric === 'meteor') return meteorOf(meteor[i]);
    return scorer.score(metric, items[i].caption, items[i].references);
  };
  const each = new Map(
    metrics.map((metric) => [metric, Float64Array.from(items, (_, i) => scoreOf(metric, i))]),
  );
  return { each, bleu, meteor };
}

/** ROUGE-L treats a caption without words as one empty word. */
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
