import { conceptOf, isListed } from '../words/concepts';
import { singular } from '../words/number';
import { isNoun } from '../text/tags';
import type { Token } from '../text/token';
import type { LexiconWord } from './lexicon';

/** Which changes to a word keep the caption true of its image. */
export interface Screened {
  /** Whether a neutral word may replace the word. */
  neutral: boolean;
  /** Whether the word's counterpart may replace the word. */
  swap: boolean;
}

const neither: Screened = { neutral: false, swap: false };

/** Next to one of these words, a cultural word is part of a name: "African American", "South African". */
const partOfName =
  /^(native|north|south|latin|central|east|west|middle|all|pan|african|asian|american|european|indian|arab|russian|\w+-)$/;
/** Before one of these nouns (a flag, a dish), a cultural or sociopolitical word describes what the image shows. */
const shown =
  /^(flag|insignia|emblem|symbol|logo|sign|food|cuisine|dish|meal|breakfast|lunch|dinner|restaurant|style|language|writing|script|letter|character|text|word|descent|country|city|town|land|street|market|village|intersection|football|eskimo|airline|airway|eagle|art|print|rug|carpet|pattern|culture|holiday|forecast|weather|produce|vegetable|fruit)$/;
const people = new Set(['person']);
const made = new Set([
  'vehicle',
  'furniture',
  'household',
  'electronics',
  'sport',
  'clothing',
  'accessory',
  'tool',
  'toy',
  'instrument',
]);
const moods =
  /\b(smil\w*|laugh\w*|grin\w*|frown\w*|cry|cries|crying|tears?|faces?|expressions?|looks?|looking|mouth|birthday|wishes)\b/i;
const genderCues =
  /\b(he|she|his|her|him|hers|himself|herself|boys?|girls?|m[ae]n|wom[ae]n|lad(y|ies)|guys?|male|female|dress(es)?|skirts?|bikinis?|bra|beards?|bearded|mustache|blouse|ponytail|pigtails|princess|bride|groom)\b/gi;

/** With one of these, a caption still tells the gender after a neutral word: "a child with her toy". */
const genderPronouns = /\b(he|she|his|her|him|hers|himself|herself)\b/i;

/** The nouns after an adjective, in the singular; `head` is the last noun. Undefined if no noun follows. */
export function describedBy(
  tokens: readonly Token[],
  at: number,
): { head: string; nouns: string[] } | undefined {
  let end = at + 1;
  while (tokens[end]?.pos === 'ADJ' && end < at + 3) end++;
  if (tokens[end] === undefined || !isNoun(tokens[end])) return undefined;
  const nouns = [tokens[end].lower];
  while (tokens[end + 1] !== undefined && isNoun(tokens[end + 1])) nouns.push(tokens[++end].lower);
  const all = nouns.map((noun) => singular(noun, isListed));
  return { head: all.at(-1)!, nouns: all };
}

export function screened(
  family: string,
  word: LexiconWord,
  tokens: readonly Token[],
  at: number,
  caption: string,
): Screened {
  const before = tokens[at - 1]?.lower ?? '';
  const after = tokens[at + 1]?.lower ?? '';
  const cues = caption.match(genderCues)?.length ?? 0;
  if (family === 'gender' && genderPronouns.test(caption)) return neither;
  if (word.as === 'noun') {
    // In "a ball boy", "boy's" and "senior citizen", the word is part of another expression.
    if ((tokens[at - 1] !== undefined && isNoun(tokens[at - 1])) || /^('s|-)$/.test(after)) return neither;
    if (before === 'senior') return neither;
    return { neutral: true, swap: family !== 'gender' || cues <= 1 };
  }
  const described = describedBy(tokens, at);
  if (described === undefined) return neither;
  // "A male and female player" are two people, and "a male and ordinary player" is one.
  if (/^(and|or)$/.test(before) && tokens[at - 2]?.pos === 'ADJ') return neither;
  const { head, nouns } = described;
  const group = conceptOf(head) ?? '';
  switch (family) {
    case 'cultural': {
      const fits = people.has(group) || made.has(group);
      if (
        !fits ||
        partOfName.test(before) ||
        partOfName.test(after) ||
        nouns.some((noun) => shown.test(noun))
      )
        return neither;
      return { neutral: true, swap: true };
    }
    case 'economic': {
      const fits = (made.has(group) || group === 'place') && !/^(less|more|most|very|too|so)$/.test(before);
      return { neutral: fits, swap: fits };
    }
    case 'gender': {
      const fits = people.has(group) && !/ing$/.test(after);
      return { neutral: fits, swap: fits && cues <= 1 };
    }
    case 'emotion':
      // A person's mood is visible in the image. The caption stays true with a neutral word, but not with the
      // word for another mood.
      return { neutral: people.has(group) && head !== 'clown' && !moods.test(caption), swap: false };
    case 'sociopolitical': {
      const fits = people.has(group) || made.has(group) || (group === 'place' && word.word === 'local');
      if (!fits || nouns.some((noun) => shown.test(noun))) return neither;
      return { neutral: true, swap: people.has(group) || made.has(group) };
    }
    default:
      return { neutral: true, swap: true };
  }
}
