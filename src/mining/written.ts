import { paperVocabulary } from '../perturb/text/vocabulary';
import { denials, lint } from './lint';
import { wordSet } from './jaccard';

const colours = new Set([...paperVocabulary.color, 'grey', 'silver', 'golden', 'beige', 'tan']);
const numbers = new Map(
  'one two three four five six seven eight nine ten'.split(' ').map((word, at) => [word, at + 1]),
);

/** Limits of an answer's words, as multiples of the caption's. `mostMore` is added to the upper limit. */
const shortest = 0.5;
const longest = 2;
const mostMore = 6;

/** The reason to reject a language model's text as a second positive; undefined if the text is acceptable. */
export function refusePositive(caption: string, text: string): string | undefined {
  return (
    refuseAny(caption, text) ??
    (same(numbersIn(caption), numbersIn(text)) ? undefined : 'a positive has other numbers') ??
    (same(coloursIn(caption), coloursIn(text)) ? undefined : 'a positive has other colours') ??
    (denials.test(caption) === denials.test(text) ? undefined : 'a positive adds or removes a negation') ??
    slipOf({ caption, second: text, negative: '' })
  );
}

/** The reason to reject a language model's text as a negative; undefined if the text is acceptable. */
export function refuseNegative(caption: string, text: string): string | undefined {
  const [own, other] = [wordSet(caption), wordSet(text)];
  const shared = [...own].filter((word) => other.has(word)).length;
  return (
    refuseAny(caption, text) ??
    (shared * 2 < own.size ? 'a negative has too few words of the caption' : undefined) ??
    slipOf({ caption, second: '', negative: text })
  );
}

function refuseAny(caption: string, text: string): string | undefined {
  if (plain(caption) === plain(text)) return 'an answer equals the caption';
  const [before, after] = [caption, text].map((one) => one.trim().split(/\s+/).length);
  if (after < before * shortest || after > before * longest + mostMore)
    return 'an answer is too short or too long';
  if (/[\r\n]|^["'[{]|["\]}]$/.test(text.trim())) return 'an answer is not one plain sentence';
  return undefined;
}

/** Why a candidate violates a guideline. Ignores gender, which the annotator checks, and added details. */
function slipOf(texts: Parameters<typeof lint>[0]): string | undefined {
  const kind = texts.negative === '' ? 'positive' : 'negative';
  const where = kind === 'positive' ? 'second' : 'negative';
  const found = lint(texts).find(
    (finding) =>
      finding.in === where &&
      finding.guideline !== 'gender' &&
      (kind === 'positive' || finding.guideline !== 'detail'),
  );
  switch (found?.guideline) {
    case 'grammar':
      return `a ${kind} has a grammatical error`;
    case 'detail':
      return `a ${kind} adds a detail`;
    case 'image':
      return `a ${kind} may still be true`;
    default:
      return undefined;
  }
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function coloursIn(text: string): string[] {
  return [...wordSet(text)]
    .filter((word) => colours.has(word))
    .map((word) => (word === 'grey' ? 'gray' : word));
}

/** The numbers in a text, except the number one, because "one dog" and "a dog" mean the same. */
function numbersIn(text: string): string[] {
  return [...wordSet(text)]
    .map((word) => numbers.get(word) ?? (/^\d+$/.test(word) ? Number(word) : 1))
    .filter((value) => value !== 1)
    .map(String);
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}
