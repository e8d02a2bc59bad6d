import type { Random } from '../../../base/random';
import { controlBefore, kindOf, type WordKind } from '../../../perturb/society/caption';
import type { Lexicon, LexiconWord } from '../../../perturb/society/lexicon';

interface Fitting {
  family: string;
  word: LexiconWord;
}

/** Adjectives share one baseline. Nouns have one per family, because "kid" is neutral only for "boy" and "girl". */
function slotOf(family: string, kind: WordKind): string {
  return kind === 'adjective' ? kind : `${kind} ${family}`;
}

/**
 * The neutral word that an image's words are compared with. It is drawn once per image from the neutral words
 * closest in length to the image's words and fit `noun`, so that no single neutral word shifts the metrics of a lexicon word.
 */
export function baselineOf(
  lexicon: Lexicon,
  noun: string,
  fitting: readonly Fitting[],
  randomFor: (slot: string) => Random,
): (fit: Fitting) => string {
  const pools = new Map<string, Set<string>>();
  for (const { family, word } of fitting) {
    const slot = slotOf(family, kindOf(word));
    pools.set(slot, (pools.get(slot) ?? new Set()).add(controlBefore(lexicon, word, noun)));
  }
  const drawn = new Map([...pools].map(([slot, pool]) => [slot, randomFor(slot).pick([...pool].sort())]));
  return ({ family, word }) => drawn.get(slotOf(family, kindOf(word)))!;
}
