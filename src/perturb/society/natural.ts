import { isNoun } from '../text/tags';
import { tag } from '../text/tagger';
import type { Token } from '../text/token';
import { articleFor } from '../words/number';
import { controlBefore, kindOf } from './caption';
import type { Lexicon, LexiconWord } from './lexicon';
import { describedBy, screened } from './naturalScreen';

/** Versions of a human-written caption with other words in place of a lexicon word. */
export interface Rewrite {
  family: string;
  word: LexiconWord;
  /** The caption with the neutral word `control` in place of the lexicon word. */
  neutral: string;
  control: string;
  /** The caption with the lexicon word's counterpart; absent if there is no suitable counterpart. */
  swapped?: string;
}

/** One rewrite for each lexicon word in the caption that has the right part of speech and may be replaced. */
export function rewrites(lexicon: Lexicon, caption: string): Rewrite[] {
  const tokens = tag(caption);
  if (tokens === undefined) return [];
  const words = new Map<string, { family: string; word: LexiconWord }[]>();
  for (const [family, { words: own }] of Object.entries(lexicon.families)) {
    for (const word of own) {
      const key = word.word.toLowerCase();
      words.set(key, [...(words.get(key) ?? []), { family, word }]);
    }
  }
  const found: Rewrite[] = [];
  tokens.forEach((token, at) => {
    for (const { family, word } of words.get(token.lower) ?? []) {
      if (!does(tokens, at, word)) continue;
      const may = screened(family, word, tokens, at, caption);
      if (!may.neutral) continue;
      const control = controlBefore(lexicon, word, describedBy(tokens, at)?.head ?? '');
      const neutral =
        kindOf(word) === 'noun'
          ? replaced(caption, tokens, at, control)
          : neutralised(caption, tokens, at, control);
      const rewrite: Rewrite = { family, word, control, neutral };
      if (word.against !== undefined && may.swap)
        rewrite.swapped = replaced(caption, tokens, at, word.against);
      found.push(rewrite);
    }
  });
  return found;
}

/**
 * Whether the word has the part of speech that the lexicon states. An adjective precedes a noun, possibly with
 * another adjective between them. A noun does not precede another noun.
 */
function does(tokens: readonly Token[], at: number, word: LexiconWord): boolean {
  const next = tokens[at + 1];
  if (kindOf(word) === 'noun') return next === undefined || !isNoun(next);
  if (next === undefined) return false;
  if (isNoun(next)) return true;
  const afterNext = tokens[at + 2];
  return next.pos === 'ADJ' && afterNext !== undefined && isNoun(afterNext);
}

/** Adjectives that follow a neutral word: "an ordinary young girl". */
const afterNeutral = /^(young|old|older|elderly|little|small|tall|big|large|bald|bearded)$/;

/** Puts the neutral word before adjectives of age and size: "a young Asian girl" → "an ordinary young girl". */
function neutralised(caption: string, tokens: readonly Token[], at: number, control: string): string {
  let first = at;
  while (afterNeutral.test(tokens[first - 1]?.lower ?? '')) first--;
  if (first === at) return replaced(caption, tokens, at, control);
  const others = caption.slice(tokens[first].start, tokens[at - 1].end).toLowerCase();
  const phrase = { ...tokens[first], end: tokens[at].end };
  return replaced(caption, [...tokens.slice(0, first), phrase], first, `${control} ${others}`);
}

function replaced(caption: string, tokens: readonly Token[], at: number, put: string): string {
  const { start, end, text } = tokens[at];
  const capital = start === 0 || caption.slice(0, start).trim() === '';
  const isCapitals = /^\p{Lu}{2}/u.test(text);
  const word = isCapitals
    ? put.toUpperCase()
    : capital && /^[A-Z]/.test(text)
      ? put[0].toUpperCase() + put.slice(1)
      : put;
  const before = tokens[at - 1];
  if (before === undefined || !/^an?$/i.test(before.text))
    return caption.slice(0, start) + word + caption.slice(end);
  const article = isCapitals
    ? articleFor(put).toUpperCase()
    : /^[A-Z]/.test(before.text)
      ? articleFor(put).replace('a', 'A')
      : articleFor(put);
  return (
    caption.slice(0, before.start) + article + caption.slice(before.end, start) + word + caption.slice(end)
  );
}
