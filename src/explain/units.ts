import { nounPhraseAt } from '../perturb/text/analysis';
import { tag } from '../perturb/text/tagger';
import { isNoun } from '../perturb/text/tags';
import type { Token } from '../perturb/text/token';

/** A word or phrase of a caption. Punctuation belongs to the word before it, or to the first word. */
export interface Unit {
  /** The words alone. */
  word: string;
  /** Where the words are in the caption, in UTF-16 units. `end` is exclusive. */
  start: number;
  end: number;
  /** The text that disappears with the unit: its words and their punctuation. */
  from: number;
  to: number;
}

interface Span {
  start: number;
  end: number;
}

export const unitKinds = ['words', 'phrases'] as const;
export type UnitKind = (typeof unitKinds)[number];

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
/** Signs that join two words without a space: "black-and-white", "rock'n'roll". */
const joint = /^[-‐‑'’_./&@]$/u;

/** The words of a caption in any script. */
export function wordsOf(caption: string): Unit[] {
  const words: Span[] = [];
  let joined = -1;
  for (const { segment, index, isWordLike } of segmenter.segment(caption)) {
    const end = index + segment.length;
    const last = words.at(-1);
    if (isWordLike === true) {
      if (last !== undefined && joined === index) last.end = end;
      else words.push({ start: index, end });
    }
    // Two signs in a row, or a sign after a space, join nothing.
    joined = joint.test(segment) && last?.end === index ? end : -1;
  }
  return unitsOf(caption, words);
}

/** The noun phrases of an English caption as units, and its other words; undefined if it cannot be parsed. */
export function phrasesOf(caption: string): Unit[] | undefined {
  const tokens = tag(caption);
  if (tokens === undefined) return undefined;
  const phrases: Span[] = [];
  for (let at = 0; at < tokens.length;) {
    const to = nounPhraseAt(tokens, at)?.to ?? plainPhraseEnd(tokens, at);
    phrases.push({ start: tokens[at].start, end: tokens[to - 1].end });
    at = to;
  }
  const words = wordsOf(caption);
  const spans = phrases.flatMap((phrase): Span[] => {
    const own = words.filter(({ start }) => start >= phrase.start && start < phrase.end);
    return own.length === 0 ? [] : [{ start: own[0].start, end: own[own.length - 1].end }];
  });
  return unitsOf(caption, spans);
}

/** The end of a determiner and its modifiers with the first noun after them. Other words are alone. */
function plainPhraseEnd(tokens: readonly Token[], from: number): number {
  let at = from;
  while (/^(DET|ADJ|NUM)$/.test(tokens.at(at)?.pos ?? '')) at++;
  return at > from && tokens.at(at) !== undefined && isNoun(tokens[at]) ? at + 1 : from + 1;
}

function unitsOf(caption: string, spans: readonly Span[]): Unit[] {
  return spans.map(({ start, end }, i) => {
    const next = spans.at(i + 1)?.start ?? caption.length;
    const between = caption.slice(end, next);
    const closes = i + 1 === spans.length ? between.trimEnd().length : closing(between);
    return { word: caption.slice(start, end), start, end, from: start, to: end + closes };
  });
}

/** The length of the marks that close a word. Marks after the last space open the next word, such as brackets. */
function closing(between: string): number {
  for (let at = between.length - 1; at >= 0; at--) if (between[at].trim() === '') return at;
  return between.length;
}

/** The caption with only the units for which `has` is true. Without any unit, the text is empty. */
export function keep(caption: string, units: readonly Unit[], has: (unit: number) => boolean): string {
  const parts: string[] = [];
  for (const [i, { to }] of units.entries()) {
    if (!has(i)) continue;
    // What precedes the unit's words: their space and opening marks, or the beginning of the caption.
    const before = i === 0 ? 0 : units[i - 1].to;
    parts.push(caption.slice(before, to));
  }
  return parts.join('').trim();
}
