/** The Porter 2 stemmer for English, which METEOR uses. */

const vowel = /[aeiouy]/;
const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
/** Words with irregular stems. */
const irregular = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }),
);
for (const same of ['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']) irregular.set(same, same);
const finished = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

/**
 * The suffixes of one step, with their replacements. Only the longest suffix that matches is tried, even if a
 * condition then prevents its replacement.
 */
type Suffixes = readonly (readonly [string, string])[];

function suffixes(list: string): Suffixes {
  return list
    .split(' ')
    .map((pair) => pair.split('>'))
    .map(([from, to = '']): [string, string] => [from, to])
    .sort(([a], [b]) => b.length - a.length);
}

const second = suffixes(
  'tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate alism>al ' +
    'aliti>al alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble ogi>og fulli>ful lessli>less li>',
);
const third = suffixes('tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness> ative>');
const fourth = suffixes(
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'.replace(/\w+/g, '$&>'),
);

export function stem(word: string): string {
  if (word.length < 3) return word;
  const known = irregular.get(word);
  if (known !== undefined) return known;
  const marked = markConsonants(word.startsWith("'") ? word.slice(1) : word);
  const first = firstRegion(marked);
  const later = regionAfter(marked, first);
  let text = marked.replace(/(?:'s'|'s|')$/, '');
  text = plural(text);
  if (finished.has(text)) return text;
  text = pastOrGerund(text, first);
  text = text.replace(/^(.+[^aeiouy])[yY]$/, '$1i');
  text = replaced(text, second, first, ([suffix], before) =>
    suffix === 'ogi' ? before.endsWith('l') : suffix !== 'li' || /[cdeghkmnrt]$/.test(before),
  );
  text = replaced(text, third, first, ([suffix], before) => suffix !== 'ative' || before.length >= later);
  text = replaced(text, fourth, later, ([suffix], before) => suffix !== 'ion' || /[st]$/.test(before));
  return withoutLast(text, first, later).replaceAll('Y', 'y');
}

/** Writes a consonant y (at the beginning, or after a vowel) as Y. */
function markConsonants(word: string): string {
  const letters = [...word];
  letters.forEach((letter, i) => {
    if (letter === 'y' && (i === 0 || vowel.test(letters[i - 1]))) letters[i] = 'Y';
  });
  return letters.join('');
}

/** The start of the stemmer's first region, which usually follows the first consonant after a vowel. */
function firstRegion(word: string): number {
  const special = /^(?:gener|commun|arsen)/.exec(word);
  return special === null ? regionAfter(word, 0) : special[0].length;
}

function regionAfter(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found === null ? word.length : from + found.index + 2;
}

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  return /[us]s$/.test(word) || !word.endsWith('s') || !/[aeiouy]/.test(word.slice(0, -2))
    ? word
    : word.slice(0, -1);
}

function pastOrGerund(word: string, first: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= first ? `${word.slice(0, eed.index)}ee` : word;
  const found = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (found === null || !vowel.test(word.slice(0, found.index))) return word;
  const rest = word.slice(0, found.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (doubled.test(rest)) return rest.slice(0, -1);
  return rest.length <= first && endsShort(rest) ? `${rest}e` : rest;
}

function endsShort(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word);
}

function replaced(
  word: string,
  list: Suffixes,
  region: number,
  allowed: (found: readonly [string, string], before: string) => boolean,
): string {
  const found = list.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const before = word.slice(0, word.length - found[0].length);
  return before.length >= region && allowed(found, before) ? before + found[1] : word;
}

function withoutLast(word: string, first: number, later: number): string {
  const rest = word.slice(0, -1);
  const drop = word.endsWith('e')
    ? rest.length >= later || (rest.length >= first && !endsShort(rest))
    : word.endsWith('l') && rest.length >= later && rest.endsWith('l');
  return drop ? rest : word;
}
