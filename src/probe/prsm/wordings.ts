import { say, type Words, together } from '../../base/say';
import type { Random } from '../../base/random';
import { conceptOf } from '../../perturb/words/concepts';
import { articleFor } from '../../perturb/words/number';
import { advancedParaphrases, cleaned, paraphraseCandidates } from '../../perturb/text/paraphrase';
import { rulesApply } from '../../perturb/text/fileLanguage';
import { tag } from '../../perturb/text/tagger';
import {
  canFollowOf,
  fillTemplate,
  inCapitals,
  lowerFirst,
  mentionsImage,
} from '../../perturb/text/templates';

/** P1 are paraphrases (given or generated), P2 prefixes, P3 synonyms of attributes. */
export type SetName = 'P1' | 'P2' | 'P3';
export const setNames: readonly SetName[] = ['P1', 'P2', 'P3'];

/** A query's wordings by label: o, the caption; c1, c2 for P1; p1 to p3, np for P2; a1, a2, a12 for P3. */
export type Wordings = Map<string, string>;

/** The paper's comparisons. Each set's last comparison has all its wordings. */
export const comparisons: Record<SetName, readonly string[]> = {
  P1: ['o-c1', 'o-c2', 'o-c1-c2'],
  P2: ['p1-p2', 'p1-np', 'p1-p2-p3-np'],
  P3: ['o-a1', 'o-a2', 'o-a12', 'o-a1-a2-a12'],
};

/** Up to two paraphrases of the caption: given ones, or else those that rules make (`made`). */
export function paraphrased(
  caption: string,
  given: readonly string[],
  random: Random,
  language?: string,
): { wordings: Wordings; made: boolean } {
  const fresh = [...new Set(given.map((text) => text.trim()))].filter(
    (text) => text !== '' && text !== caption,
  );
  if (fresh.length > 0) return { wordings: numbered('c', fresh.slice(0, 2)), made: false };
  if (!rulesApply(caption, language)) return { wordings: new Map(), made: false };
  const tokens = tag(caption);
  const texts = (variants: ReturnType<typeof advancedParaphrases>): string[] =>
    random.shuffle(
      cleaned(variants, caption, 5)
        // Templates are wordings of P2.
        .filter(({ kind }) => kind !== 'template')
        .map(({ text }) => text),
    );
  const advanced = texts(advancedParaphrases(caption, tokens));
  const all = [...advanced, ...texts(paraphraseCandidates(caption, tokens, { asInPaper: false }))];
  return { wordings: numbered('c', [...new Set(all)].slice(0, 2)), made: true };
}

function numbered(letter: string, texts: readonly string[]): Wordings {
  return new Map(texts.map((text, at) => [`${letter}${at + 1}`, text]));
}

/** The prefixes of P2, numbered as in the paper: p1-p2 compares "an image of" with "a picture of". */
const prefixes = { p1: 'an image', p2: 'a picture', p3: 'a photo' };

/** The queries that P2 leaves out, or gives a prefix with a colon. */
export type Prefixing = 'of' | 'colon' | 'none';

/**
 * The caption with each of the prefixes, and without a prefix. A sentence cannot follow "a photo of", so its prefixes end
 * in a colon. A caption that mentions an image in other words has no wordings.
 */
export function prefixed(caption: string): { wordings: Wordings; how: Prefixing } {
  const bare = caption.replace(/^\s*an?\s+(image|photo|photograph|picture)\s+of\s+/i, '').trim();
  const tokens = tag(bare);
  if (tokens === undefined || tokens.length === 0 || mentionsImage(bare))
    return { wordings: new Map(), how: 'none' };
  const wordings: Wordings = new Map();
  const capital = /^\s*\p{Lu}/u.test(caption);
  const inside = inCapitals(caption) ? bare : lowerFirst(bare, tokens);
  const isPhrase = bare !== caption.trim() || canFollowOf(tokens);
  const how = isPhrase ? 'of' : 'colon';
  for (const [label, prefix] of Object.entries(prefixes)) {
    const text = fillTemplate(`${prefix}${how === 'of' ? ' of' : ':'} {c}`, caption, inside);
    wordings.set(label, capital ? upperFirst(text) : text);
  }
  wordings.set('np', capital ? upperFirst(bare) : bare);
  return { wordings, how };
}

function upperFirst(text: string): string {
  return text === '' ? text : text[0].toUpperCase() + text.slice(1);
}

interface Found {
  start: number;
  end: number;
  synonym: string;
}

/**
 * Up to three wordings: the caption with its first attribute, its second attribute, or both replaced by synonyms.
 * `anywhere` has the attributes that count before any word, not only before a word for a person.
 */
export function attributed(
  caption: string,
  named: readonly string[],
  synonyms: ReadonlyMap<string, string>,
  anywhere: ReadonlySet<string> = new Set(),
): Wordings {
  const found =
    named.length > 0
      ? named.map((attribute) => find(caption, attribute, synonyms))
      : firstTwo(caption, synonyms, anywhere).map((at): Found | undefined => at);
  const wordings: Wordings = new Map();
  const [first, second] = found;
  if (first !== undefined) wordings.set('a1', put(caption, [first]));
  if (second !== undefined) wordings.set('a2', put(caption, [second]));
  if (first !== undefined && second !== undefined) wordings.set('a12', put(caption, [first, second]));
  return wordings;
}

function find(caption: string, attribute: string, synonyms: ReadonlyMap<string, string>): Found | undefined {
  const synonym = synonyms.get(attribute.toLowerCase());
  const match = matchWord(caption, attribute);
  if (synonym === undefined || match === undefined) return undefined;
  return { start: match, end: match + attribute.length, synonym };
}

function matchWord(caption: string, word: string): number | undefined {
  const quoted = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}-])${quoted}(?![\\p{L}\\p{N}-])`, 'iu').exec(caption)?.index;
}

function firstTwo(
  caption: string,
  synonyms: ReadonlyMap<string, string>,
  anywhere: ReadonlySet<string>,
): Found[] {
  const all = [...synonyms.keys()].flatMap((word) => {
    const found = find(caption, word, synonyms);
    if (found === undefined) return [];
    return anywhere.has(word) || isOfPerson(caption.slice(found.end), synonyms) ? [found] : [];
  });
  // The longer match wins, because "middle eastern" is one attribute.
  all.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart = all.filter((found, at) => !all.slice(0, at).some((before) => found.start < before.end));
  return apart.slice(0, 2);
}

/** Whether a word for a person follows, perhaps after other attributes. Only then, "black" is one. */
function isOfPerson(rest: string, synonyms: ReadonlyMap<string, string>): boolean {
  for (const word of rest.match(/[\p{L}-]+|[^\p{L}\s]/gu) ?? []) {
    if (conceptOf(word) === 'person') return true;
    if (!synonyms.has(word.toLowerCase()) && !/^(middle|eastern|and|,)$/i.test(word)) return false;
  }
  return false;
}

function put(caption: string, found: readonly Found[]): string {
  let text = caption;
  for (const { start, end, synonym } of [...found].sort((a, b) => b.start - a.start)) {
    const word = /^\p{Lu}/u.test(caption.slice(start)) ? upperFirst(synonym) : synonym;
    const before = text
      .slice(0, start)
      .replace(
        /\b(a)n?(\s+)$/i,
        (_, a: string, space: string) => `${a}${articleFor(word) === 'an' ? 'n' : ''}${space}`,
      );
    text = before + word + text.slice(end);
  }
  return text;
}

const attributesNamed = 10;

/** How many queries P3 leaves out, and their attributes without a synonym. */
export function unattributedNote(unattributed: readonly (readonly string[])[], queries: number): Words[] {
  if (unattributed.length === 0) return [];
  const counts = new Map<string, number>();
  for (const names of unattributed) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const known = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const named = known.slice(0, attributesNamed).map(([name, n]) => `"${name}" (${n})`);
  const more = known.length > attributesNamed ? ', …' : '';
  const why = named.length === 0 ? [] : [say('prsm.attributesWithoutSynonym', `${named.join(', ')}${more}`)];
  return [together(say('prsm.captionsWithoutSynonym', unattributed.length, queries), ...why)];
}
