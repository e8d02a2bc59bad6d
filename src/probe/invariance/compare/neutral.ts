/** Which neutral words differ, and whether only their articles do. */
import { pEquals } from '../../../base/pValue';
import { say } from '../../../base/say';
import { articleFor } from '../../../perturb/words/number';
import { leastImages } from '../../../stats/decisions/smallSample';
import { verdictLevel } from '../../claimFamily';
import { type Metric, observationsIn, type Claim } from '../../metric';
import { wholeMetric } from '../../view';

const prefix = 'invariance.societal.neutral';

interface NeutralPair {
  /** The word with the higher score on the same images comes first. */
  words: readonly [string, string];
  pValue: number;
  size: number;
  /** Whether one word follows "a" and the other one "an". */
  changesArticle: boolean;
}

/** The pairs of neutral words that differ on the same images after Holm's correction, the largest difference first. */
export function neutralPairs(metrics: readonly Metric[]): NeutralPair[] {
  const pairs = metrics.flatMap(({ id, slice, value }): NeutralPair[] => {
    if (id !== `${prefix}.between` || slice === undefined || value === null || value >= verdictLevel)
      return [];
    const { variant, against } = slice;
    const size = metrics.find(
      (one) =>
        one.id === `${prefix}.contrastDelta` &&
        one.slice?.variant === variant &&
        one.slice.against === against,
    )?.value;
    if (typeof size !== 'number' || size === 0) return [];
    const words = [String(variant), String(against)] as const;
    return [
      {
        words: size > 0 ? words : [words[1], words[0]],
        pValue: value,
        size: Math.abs(size),
        changesArticle: articleFor(words[0]) !== articleFor(words[1]),
      },
    ];
  });
  return pairs.sort((a, b) => b.size - a.size);
}

/**
 * The article with the higher scores if neutral words differ, but none with the same article do: the score then
 * depends on the article, and the effect of a word with another article may be that of its article.
 */
export function betterArticle(pairs: readonly NeutralPair[]): 'a' | 'an' | undefined {
  const better = new Set(pairs.map(({ words }) => articleFor(words[0])));
  return pairs.length > 0 && pairs.every(({ changesArticle }) => changesArticle) && better.size === 1
    ? [...better][0]
    : undefined;
}

const neutralId = 'invariance.societal.neutral.between';

/** The verdict that neutral words differ, so that the size of another word's effect depends on them. */
export function neutralClaim(metrics: readonly Metric[]): Claim[] {
  const p = wholeMetric(metrics, neutralId);
  if (typeof p?.value !== 'number' || p.value >= verdictLevel || observationsIn(p) < leastImages) return [];
  const pairs = neutralPairs(metrics);
  const [first] = pairs;
  const text =
    first === undefined
      ? say('invariance.neutralWordsDiffer')
      : betterArticle(pairs) === undefined
        ? say('invariance.neutralPairDiffers', ...first.words)
        : say('invariance.neutralArticlesDiffer', ...first.words);
  return [{ text, rule: say('invariance.neutralWordsTest', neutralId, pEquals(p.value), verdictLevel) }];
}
