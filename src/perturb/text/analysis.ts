import type { Token } from './token';
import { isNoun, startsPhrase } from './tags';
import {
  determiners,
  irregularPlurals,
  manyWords,
  imageNouns,
  possessives,
  quantifiers,
  singularInS,
  states,
  verbsInS,
  verbsOrNouns,
} from './words';

/** A range of tokens. `to` is exclusive. */
export interface Chunk {
  from: number;
  to: number;
}

export interface NounPhrase extends Chunk {
  head: Token;
  plural: boolean;
  /** False if the phrase begins with a possessive, "the", "this", "these" or "those". */
  indefinite: boolean;
  determined: boolean;
  possessive: boolean;
}

const singularDeterminers = new Set(['a', 'an', 'another', 'this', 'one', 'each', 'every']);

/** The noun phrase (determiner, modifiers, nouns) from `from`; undefined if no clear one starts there. */
export function nounPhraseAt(tokens: readonly Token[], from: number): NounPhrase | undefined {
  let at = from;
  const first = tokens[at];
  if (first === undefined) return undefined;
  const possessive = possessives.has(first.lower);
  const determined =
    possessive || determiners.has(first.lower) || first.pos === 'NUM' || quantifiers.has(first.lower);
  if (determined) at++;
  while (isModifier(tokens, at)) at++;
  if (tokens[at]?.lower === 'and' && tokens[at - 1]?.pos === 'ADJ' && tokens[at + 1]?.pos === 'ADJ') {
    at += 2;
    while (isModifier(tokens, at)) at++;
  }
  const nouns = at;
  while (tokens[at] !== undefined && isNoun(tokens[at])) at++;
  if (at === nouns) return undefined;
  const head = tokens[at - 1];
  // The tagger calls the last word a noun, but the word may be the verb of the sentence.
  if (at - nouns > 1 && (verbsOrNouns.has(head.lower) || verbsInS.has(head.lower))) return undefined;
  const counted = tokens.slice(from, nouns).some(({ lower }) => manyWords.has(lower));
  const single = singularDeterminers.has(first.lower) && !counted;
  const looksPlural = isPluralNoun(head.lower);
  // A plural after a singular determiner is a verb with a wrong tag ("a dog barks") or a typing error.
  if (single && looksPlural && head.lower !== 'sheep') return undefined;
  const plural = counted || (!single && looksPlural);
  const indefinite =
    !possessive &&
    (single ? first.lower !== 'this' : first.lower !== 'the' && !/^th(is|ese|ose)$/.test(first.lower));
  return { from, to: at, head, plural, indefinite, determined, possessive };
}

function isModifier(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const after = tokens[at + 1];
  if (token === undefined || after === undefined) return false;
  if (token.pos === 'ADJ')
    return (
      isNoun(after) ||
      after.pos === 'ADJ' ||
      after.pos === 'NUM' ||
      after.lower === 'and' ||
      after.pos === 'VERB'
    );
  if (token.pos === 'NUM') return isNoun(after) || after.pos === 'ADJ';
  if (token.pos === 'ADV') return after.pos === 'ADJ';
  // A participle before a noun: "a parked car", "some stuffed animals".
  return token.pos === 'VERB' && /(ed|en)$/.test(token.lower) && isNoun(after);
}

export function isPluralNoun(lower: string): boolean {
  if (irregularPlurals.has(lower)) return true;
  return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') && !singularInS.has(lower);
}

/** A noun phrase with its "of" phrase: "a group of people", "the side of a road". */
export function fullNounPhraseAt(tokens: readonly Token[], from: number): NounPhrase | undefined {
  const phrase = nounPhraseAt(tokens, from);
  if (phrase === undefined) return undefined;
  let { to } = phrase;
  while (tokens[to]?.lower === 'of') {
    const inner = nounPhraseAt(tokens, to + 1);
    if (inner === undefined) return undefined;
    ({ to } = inner);
  }
  return { ...phrase, to };
}

/** Group nouns that take a plural verb: "a couple of dogs are". */
const manyGroups = new Set(['couple', 'lot', 'number', 'variety', 'majority']);
/** Group nouns that take either a singular or a plural verb, depending on the writer. */
export const looseGroups = new Set([
  'group',
  'bunch',
  'pair',
  'crowd',
  'herd',
  'flock',
  'set',
  'row',
  'line',
  'team',
  'family',
]);

export interface Form {
  subject: NounPhrase;
  /** Whether the subject takes "are"; undefined if both "is" and "are" are usual. */
  are: boolean | undefined;
  /** The index of the first token after the subject. */
  next: number;
  /** The number of tokens without the final full stop. */
  end: number;
  /** Whether the caption is, or may be, a whole sentence. */
  finite: boolean;
  namesImage: boolean;
  /** Whether the caption has inner punctuation, as in two sentences, a list or a quotation. */
  marks: boolean;
}

/** The structure of a caption that starts with a clear noun phrase or "there is"; otherwise undefined. */
export function analyse(tokens: readonly Token[]): Form | undefined {
  const end = tokens.length - (tokens.at(-1)?.text === '.' ? 1 : 0);
  const there = tokens[0]?.lower === 'there' && /^(is|are)$/.test(tokens[1]?.lower ?? '');
  const subject = fullNounPhraseAt(tokens, there ? 2 : 0);
  if (subject === undefined || subject.to > end) return undefined;
  const group = subject.head.lower;
  const hasOf = tokens.slice(subject.from, subject.to).some(({ lower }) => lower === 'of');
  const are =
    hasOf && looseGroups.has(group) ? undefined : (hasOf && manyGroups.has(group)) || subject.plural;
  return {
    subject,
    are,
    next: subject.to,
    end,
    finite: there || mayBeFinite(tokens.slice(subject.to, end)),
    namesImage: tokens.slice(0, subject.to).some(({ lower }) => imageNouns.has(lower)),
    marks: tokens.slice(0, end).some(({ pos }) => pos === 'PUNCT'),
  };
}

/** Whether one of the tokens may be a finite verb. An -ing form or a clear participle does not count. */
export function mayBeFinite(tokens: readonly Token[]): boolean {
  return tokens.some(({ pos, lower }, i) => {
    if (pos === 'AUX') return true;
    if (pos !== 'VERB' && (verbsOrNouns.has(lower) || verbsInS.has(lower))) {
      const [before, after] = [tokens[i - 1], tokens[i + 1]];
      return (
        before !== undefined &&
        isNoun(before) &&
        after !== undefined &&
        (startsPhrase(after) || after.pos === 'VERB')
      );
    }
    if (pos !== 'VERB') return false;
    if (lower.endsWith('ing') || states.has(lower)) return false;
    // An infinitive: "to eat", "about to land".
    if (tokens[i - 1]?.lower === 'to') return false;
    // A participle inside a noun phrase: "with a parked car".
    const inside = /(ed|en)$/.test(lower) && tokens[i + 1] !== undefined && isNoun(tokens[i + 1]);
    return !(inside && tokens[i - 1] !== undefined && /^(DET|ADJ|ADP|NUM)$/.test(tokens[i - 1].pos));
  });
}

export function textOf(caption: string, tokens: readonly Token[], from: number, to: number): string {
  return from >= to ? '' : caption.slice(tokens[from].start, tokens[to - 1].end);
}
