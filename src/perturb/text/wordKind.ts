import { colors } from './beyond';
import { isNoun } from './tags';
import type { Token } from './token';
import type { WordKind } from '../words/wordKinds';
import { quantifiers } from './words';

const ofPart: Readonly<Record<string, WordKind>> = {
  ...{ NOUN: 'noun', PROPN: 'noun', VERB: 'verb', ADJ: 'adjective', NUM: 'number', ADP: 'relation' },
  ...{ DET: 'function', PRON: 'function', AUX: 'function', CCONJ: 'function', SCONJ: 'function' },
  PART: 'function',
};

const colorWords = new Set(colors);
/** Colours that are also things. Without a noun after them, they are things: "an orange on a plate". */
const alsoThings = /^(orange|violet|silver|tan)$/;

/** The kind of a caption's word: its part of speech, with colours and numbers apart. */
export function wordKindAt(tokens: readonly Token[], at: number): WordKind {
  const { lower, pos } = tokens[at];
  const after = tokens.at(at + 1);
  if (colorWords.has(lower)) {
    const describes = pos === 'ADJ' || (after !== undefined && (isNoun(after) || after.pos === 'ADJ'));
    if (describes || !alsoThings.test(lower)) return 'color';
  }
  if (quantifiers.has(lower) || /^\d/.test(lower)) return 'number';
  const before = tokens[at - 1]?.lower;
  // "next to", "in front of" and "on top of" are relations, whatever the tagger calls their second word.
  if (lower === 'next' && after?.lower === 'to') return 'relation';
  if (/^(front|top|side)$/.test(lower) && after?.lower === 'of' && /^(in|on|at)$/.test(before ?? ''))
    return 'relation';
  return ofPart[pos] ?? 'other';
}
