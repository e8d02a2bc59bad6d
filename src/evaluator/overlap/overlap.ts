import { bleuOf, bleuParts, type BleuParts } from './bleu';
import { Cider, DocumentFrequencies } from './cider';
import { Ngrams } from './ngrams';
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

export interface ReferencedCaption {
  caption: string;
  references: readonly string[];
}

export interface OverlapScores {
  /** One score per caption. */
  each: Map<OverlapMetric, Float64Array>;
  /** By caption, so that any part of the corpus gets its own BLEU. */
  bleu: BleuParts[];
}

/**
 * Scores captions against their references. `corpus` has the references that document frequencies are counted
 * in.
 */
export function scoreOverlap(
  items: readonly ReferencedCaption[],
  metrics: readonly OverlapMetric[],
  corpus: readonly (readonly string[])[] = items.map(({ references }) => references),
): OverlapScores {
  const ngrams = new Ngrams();
  // For BLEU and CIDEr, a no-break space splits a token; for ROUGE-L it does not.
  const divided = memo((text) =>
    ngrams.count(
      captionWords(text)
        .join(' ')
        .split(/\s+/u)
        .filter((word) => word !== ''),
    ),
  );
  const each = new Map(metrics.map((metric) => [metric, new Float64Array(items.length)]));
  const frequencies = new DocumentFrequencies();
  if (each.has('cider') || each.has('cider-d'))
    for (const references of corpus) frequencies.add(references.map(divided));
  const cider = new Cider(frequencies);
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
    if (value === undefined) known.set(text, (value = of(text)));
    return value;
  };
}
