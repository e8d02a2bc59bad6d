import { together } from '../base/say';
import { say, type Words } from '../base/say';
import { append } from '../base/lists';
import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { TextItem } from '../protocol/item';
import type { AskedPair, GalleryContext, OptionSpec, OptionValue } from './probe';

/**
 * How many of the first results by cosine are reranked with the evaluator's scores. Infinity if the evaluator
 * has no embeddings and scores all pairs. Undefined if no results are reranked.
 */
export function rerankedBy(evaluator: Evaluator): number | undefined {
  const { info, consent, rerank } = evaluator;
  if (evaluator.references !== undefined) return undefined;
  if (embedsBoth(evaluator)) return rerank;
  // An endpoint's answers may cost money, so evaluators that use an endpoint do not score all pairs.
  const isFree = consent === undefined || consent.runs === true;
  return info.kind === 'pair-scorer' && info.scores.includes('image-text') && isFree ? Infinity : undefined;
}

export function embedsBoth(evaluator: Evaluator): boolean {
  return evaluator.embedTexts !== undefined && evaluator.embedImages !== undefined;
}

/** Why an evaluator does not rank at all: a changed caption in a gallery would find its original as a reference. */
export function noRanking({ references }: Pick<Evaluator, 'references'>): Words | undefined {
  return references && say('probe.referencesCannotRank');
}

export const pairsOption: OptionSpec = {
  key: 'pairs',
  title: say('probe.pairsOption'),
  describe:
    'Maximum number of pairs for evaluators without embeddings, which score every image with every caption. With more pairs, Captious leaves such evaluators out.',
  default: 100_000,
};

/** Why an evaluator that needs this many pair scores is left out. Undefined if the option allows the number. */
export function tooMany(pairs: number, options: Readonly<Record<string, OptionValue>>): Words | undefined {
  const most = Number(options[pairsOption.key]);
  if (pairs <= most) return undefined;
  return together(
    say('dataset.asSentence', say('probe.tooManyPairs', pairs, most)),
    say('probe.rerankInstead'),
  );
}

const atOnce = 4096;

/** The scores of the pairs, in order. The bench adds the evaluator's prefix to each text. */
export async function pairScores(
  { bench, answered, signal }: Pick<GalleryContext, 'bench' | 'answered' | 'signal'>,
  evaluator: Evaluator,
  pairs: readonly AskedPair[],
): Promise<Outcome<number>[]> {
  const scores: Outcome<number>[] = [];
  for (let from = 0; from < pairs.length; from += atOnce) {
    const wants = pairs
      .slice(from, from + atOnce)
      .map(({ image, text }) => ({ left: image, right: { kind: 'text', text } satisfies TextItem }));
    append(scores, await bench.scores(evaluator, wants, signal));
  }
  for (const [at, pair] of pairs.entries()) answered?.(evaluator, pair, scores[at]);
  return scores;
}
