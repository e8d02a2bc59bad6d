import type { RandomFor } from './flip/flip';
import { passives } from './passive';
import { restructurings } from './restructure';
import { synonyms } from './synonym';
import type { Token } from './token';
import { asInPaper, asWritten } from './templates';
import type { TextVariant } from './variant';

/**
 * The rules apply only to captions with at most this many tokens. Longer captions are rarely single sentences, and
 * the rules were evaluated only on single sentences.
 */
export const mostWordsForRules = 60;

/** Rule-based paraphrases of a caption in a fixed order. A rule makes a paraphrase only if it clearly applies. */
export function advancedParaphrases(caption: string, tokens: readonly Token[] | undefined): TextVariant[] {
  if (tokens === undefined || tokens.length > mostWordsForRules) return [];
  // An emoji or a stray symbol may replace a word, so no rule applies.
  if (
    tokens.some(
      (token) => token.pos === 'SYM' || token.pos === 'X' || /\p{Extended_Pictographic}/u.test(token.text),
    )
  )
    return [];
  if (caption === caption.toUpperCase()) return [];
  return [...passives(caption, tokens), ...synonyms(caption, tokens), ...restructurings(caption, tokens)];
}

export function paraphraseCandidates(
  caption: string,
  tokens: readonly Token[] | undefined,
  options: { asInPaper: boolean },
): TextVariant[] {
  const simple = options.asInPaper ? asInPaper(caption) : asWritten(caption, tokens);
  return [...simple, ...advancedParaphrases(caption, tokens)];
}

/** Drops short texts, duplicates and texts equal to the caption. */
export function cleaned(
  variants: readonly TextVariant[],
  caption: string,
  leastLength: number,
): TextVariant[] {
  const seen = new Set([caption]);
  return variants.filter(({ text }) => {
    if ([...text.trim()].length < leastLength || seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** At most `most` items, drawn uniformly, in their original order. */
export function sample<T>(items: readonly T[], most: number, randomFor: RandomFor, purpose: string): T[] {
  if (items.length <= most) return [...items];
  const order = items.map((_, i) => i);
  const kept = randomFor(purpose).shuffle(order).slice(0, most);
  return kept.sort((a, b) => a - b).map((i) => items[i]);
}
