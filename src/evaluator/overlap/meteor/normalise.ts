/** Splits a tokenised caption into words as METEOR 1.5 does for English. Punctuation stays. */

const letters = 'A-Za-zŠŽšžŸÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ';
const java = String.raw` \t\n\v\f\r`;

/** Patterns and replacements in order. */
const steps: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`([^0-9${letters}${java}.'\x60,\-‘’])`, 'gu'), ' $1 '],
  [/(?<!\.)\.{2,}/g, ' $& '],
  [/([^0-9]),([^0-9])/gu, '$1 , $2'],
  [/([0-9]),([^0-9])/gu, '$1 , $2'],
  [/([^0-9]),([0-9])/gu, '$1 , $2'],
  [/[`‘’]/g, "'"],
  [/[“”]|''/g, ' " '],
  [/–|--/g, '-'],
  // A hyphenated word becomes two words, each of which can match.
  [new RegExp(String.raw`([0-9${letters}.])-([0-9${letters}])`, 'gu'), '$1 $2'],
  [new RegExp(`([^${letters}])'([^${letters}])`, 'gu'), "$1 ' $2"],
  [new RegExp(`([^${letters}0-9])'([${letters}])`, 'gu'), "$1 ' $2"],
  [new RegExp(`([${letters}])'([^${letters}])`, 'gu'), "$1 ' $2"],
  [new RegExp(`([${letters}])'([${letters}])`, 'gu'), "$1 '$2"],
  [/([0-9])'(s)/g, "$1 '$2"],
];

const anyLetter = new RegExp(`[${letters}]`, 'u');
/**
 * METEOR's abbreviations, whose final full stop is not split off. "i.e" and "e.g" never match, because
 * `withoutDot` first removes all full stops of such words.
 */
const abbreviations = new Set(['v', 'vs', 'i.e', 'rev', 'e.g']);
const javaSpace = new RegExp(`[${java}]+`, 'u');
const anySpace = /[ \u00A0\u2000-\u200A\u202F\u205F\u3000]+/u;

export function meteorWords(caption: string): string[] {
  let line = ` ${caption} `;
  for (const [pattern, written] of steps) line = line.replace(pattern, written);
  const words = line.split(javaSpace).filter((word) => word !== '');
  return words
    .map((word, i) => withoutDot(word, words[i + 1]))
    .join(' ')
    .split(anySpace)
    .filter((word) => word !== '');
}

/**
 * Handles full stops: "u.s." becomes "us". A final full stop becomes a word, unless the word is an
 * abbreviation or the next word begins with a lower-case letter.
 */
function withoutDot(word: string, next: string | undefined): string {
  if (word.length < 2 || !word.endsWith('.') || /^\.+$/.test(word)) return word;
  const before = word.slice(0, -1);
  if (before.includes('.') && anyLetter.test(before)) return word.replaceAll('.', '');
  const stays = abbreviations.has(before) || (next !== undefined && /^[a-z]/.test(next));
  return stays ? word : `${before} .`;
}
