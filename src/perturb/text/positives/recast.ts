/** Rules that restate a caption in another kind of sentence, for positives whose wording is very different. */
import { conceptOf } from '../../words/concepts';
import { articleFor } from '../../words/number';
import { analyse, fullNounPhraseAt, textOf, type Form } from '../analysis';
import { seenColor } from '../beyond';
import { onlyPlaces } from '../passive';
import { dropIs, isStative, thereIs } from '../restructure';
import { isNoun } from '../tags';
import { lowerFirst, splitEnd } from '../templates';
import type { Token } from '../token';
import { tag } from '../tagger';
import { beings, list } from '../words';
import { isSingleOrPlural, nameOf, opening, type Rule } from './clauses';

export const recastRules: Readonly<Record<string, Rule>> = {
  'object first': objectFirst,
  'adjectives last': adjectivesLast,
  'background first': backgroundFirst,
  'place first, finite': placeFirstFinite,
};

const there = (caption: string, are: boolean): string => `${opening(caption, 'there')} ${are ? 'are' : 'is'}`;

/** Groups of visible things. "Taking a bath" and "doing a trick" name no visible thing. */
const concrete = list(
  'person animal bird food drink household furniture electronics vehicle sport accessory clothing nature place tool stationery toy instrument',
);
/** Verbs that `transitive` rejects: verbs of idioms, verbs without an object, and verbs such as "contain". */
const light =
  /^(tak|mak|hav|do|gett?|giv|be|go|com|perform|try|keep|lett?|stand|sitt?|pos|measur|becom|show|featur|contain|includ|display|resembl|depict|lack|need)(ing|e?s)$|^(has|tries|lies|is|does)$/;
/** Words that begin a phrase about the verb. This phrase keeps its place when the object moves to the front. */
const adjuncts =
  /^(in|on|at|near|next|beside|behind|inside|outside|under|underneath|beneath|above|over|across|along|down|up|through|into|onto|from|around|past|atop|against|while|during|by|off|outdoors|together)$/;

/** "A man holding a racket on a court" → "There is a racket that a man is holding on a court". */
function objectFirst(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject, next, end, are } = form;
  const verb = transitive(tokens, form);
  if (subject.possessive || verb === undefined) return undefined;
  const from = verb.at + 1;
  const found = fullNounPhraseAt(tokens, from);
  const group = conceptOf(found?.head.lower ?? '') ?? '';
  if (found === undefined || !concrete.has(group) || !found.indefinite || found.possessive) return undefined;
  const to = withContent(tokens, found.to, group);
  if (!(found.determined || found.plural) || to > end) return undefined;
  // "Each other" and "another dog" refer back to the subject, so they cannot precede the subject.
  if (tokens.slice(from, to).some(({ lower }) => /^(each|other|another|own|same|of)$/.test(lower)))
    return undefined;
  const rest = tokens.slice(to, end);
  // In "watching a man in a suit", "in a suit" describes the object.
  if (rest.length > 0 && (group === 'person' || !adjuncts.test(rest[0].lower))) return undefined;
  if (
    rest[0]?.lower !== 'while' &&
    rest.some(({ pos, lower }) => pos === 'VERB' || pos === 'AUX' || lower === 'and')
  )
    return undefined;
  const be = verb.be ?? (are === true ? 'are' : 'is');
  const who = lowerFirst(textOf(caption, tokens, 0, next), tokens);
  const said = [
    there(caption, found.plural),
    textOf(caption, tokens, from, to),
    `that ${who}${verb.isFinite ? '' : ` ${be}`} ${tokens[verb.at].text}`,
    textOf(caption, tokens, to, end),
  ];
  return said.filter((part) => part !== '').join(' ') + splitEnd(caption).end;
}

/** The verb after the subject, if it may have an object: "riding", "is riding" or "rides". */
function transitive(
  tokens: readonly Token[],
  { next, are }: Form,
): { at: number; be?: string; isFinite: boolean } | undefined {
  const be = /^(is|are)$/.test(tokens[next]?.lower ?? '') ? tokens[next].lower : undefined;
  const at = be === undefined ? next : next + 1;
  const verb = tokens[at];
  if (verb?.pos !== 'VERB' || isStative(verb.lower) || light.test(verb.lower)) return undefined;
  if (verb.lower.endsWith('ing')) return { at, isFinite: false, ...(be === undefined ? {} : { be }) };
  return be === undefined && are === false && verb.lower.endsWith('s') ? { at, isFinite: true } : undefined;
}

/** The end of a phrase such as "a plate with slices of pizza". `to` is the end of "a plate". */
function withContent(tokens: readonly Token[], to: number, group: string): number {
  if (group !== 'household' || tokens[to]?.lower !== 'with') return to;
  return fullNounPhraseAt(tokens, to + 1)?.to ?? to;
}

/** Adjectives, except colours, that keep their meaning after "is". */
const predicative = list(
  'large big huge small tiny tall old elderly young new empty dirty clean messy wet beautiful cute',
);
/** Adjectives of a whole compound: "a large bus station". Others may be the noun's: "a small town street". */
const ofCompound = new Set(['large', 'big', 'huge']);

/** "A red bus parked on a street" → "There is a bus parked on a street, and this bus is red". */
function adjectivesLast(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { subject } = form;
  if (!isSingleOrPlural(tokens, form)) return undefined;
  const described = adjectivesOf(tokens, subject.from + (subject.determined ? 1 : 0), subject.to);
  if (described === undefined) return undefined;
  const short = without(caption, tokens, subject.from, described);
  const shortTokens = tag(short);
  const shortForm = shortTokens && analyse(shortTokens);
  if (shortTokens === undefined || shortForm?.subject.head.lower !== subject.head.lower) return undefined;
  // With a second thing of the same name, "this" would be unclear.
  const head = subject.head.lower;
  if (tokens.slice(subject.to).some(({ lower }) => lower.startsWith(head) || head.startsWith(`${lower}s`)))
    return undefined;
  if (tokens.slice(subject.to).some(({ lower }) => /^(other|others|another|one|ones)$/.test(lower)))
    return undefined;
  const plain = dropIs(short, shortTokens, shortForm) ?? short;
  const plainTokens = tag(plain);
  const plainForm = plainTokens && analyse(plainTokens);
  if (plainTokens === undefined || plainForm === undefined) return undefined;
  const first = thereIs(plain, plainTokens, plainForm);
  if (first === undefined) return undefined;
  const { body, end } = splitEnd(first);
  const are = form.are === true;
  return `${body}, and ${are ? 'these' : 'this'} ${nameOf(tokens, subject)} ${are ? 'are' : 'is'} ${listed(described.words)}${end}`;
}

interface Adjectives {
  words: string[];
  /** The tokens to remove; `to` is exclusive. */
  from: number;
  to: number;
}

/** The adjectives between determiner and nouns; undefined unless all of them can follow "is". */
function adjectivesOf(tokens: readonly Token[], from: number, to: number): Adjectives | undefined {
  let at = from;
  const words: string[] = [];
  for (; at < to; at++) {
    const { lower } = tokens[at];
    if (lower === 'and' && words.length > 0) continue;
    const isColor = conceptOf(lower) === 'color';
    if (!isColor && !predicative.has(lower)) break;
    if (isColor && isNoun(tokens[at]) && at + 1 === to) break;
    words.push(lower);
  }
  const nouns = tokens.slice(at, to);
  if (words.length === 0 || nouns.length === 0 || !nouns.every(isNoun)) return undefined;
  const isKind = tokens
    .slice(from, at)
    .some(
      (token, i) =>
        conceptOf(token.lower) === 'color' && i + from + 1 === at && !describesNext(tokens, from, at - 1),
    );
  if (isKind) return undefined;
  if (nouns.length > 1 && !words.every((word) => conceptOf(word) === 'color' || ofCompound.has(word)))
    return undefined;
  return { words, from, to: at };
}

/** Whether the last colour before the nouns describes the thing's look instead of its kind. */
function describesNext(tokens: readonly Token[], from: number, at: number): boolean {
  if (tokens[at - 1]?.lower === 'and' && at - 1 > from) return true;
  return seenColor(tokens, at);
}

/** The caption without the adjectives, with the article for the next word. */
function without(caption: string, tokens: readonly Token[], first: number, { from, to }: Adjectives): string {
  const noun = tokens[to];
  if (from === first) return opening(caption, caption.slice(noun.start));
  const article = tokens[first];
  const isArticle = /^an?$/.test(article.lower);
  const before = isArticle
    ? caption.slice(0, article.start) + opening(article.text, articleFor(noun.lower))
    : caption.slice(0, tokens[from - 1].end);
  return `${before} ${caption.slice(noun.start)}`;
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}

/** "A boat on a lake with trees in the background" → "There are trees in the background, and there is a boat on a lake". */
function backgroundFirst(caption: string, tokens: readonly Token[], form: Form): string | undefined {
  const { end } = form;
  const at = end - 3;
  if (tokens[at]?.lower !== 'in' || tokens[at + 1].lower !== 'the') return undefined;
  if (!/^(background|foreground|distance)$/.test(tokens[at + 2].lower)) return undefined;
  let withAt = at - 1;
  while (withAt > 0 && tokens[withAt].lower !== 'with') withAt--;
  if (withAt < form.subject.to) return undefined;
  const seen = fullNounPhraseAt(tokens, withAt + 1);
  if (seen?.to !== at || !seen.indefinite || seen.possessive) return undefined;
  const before = tokens.slice(0, withAt);
  // In "a man and a dog with trees", the trees may belong to the dog alone.
  if (before.some(({ lower, pos }) => lower === 'with' || pos === 'PUNCT' || pos === 'CCONJ'))
    return undefined;
  const start = textOf(caption, tokens, 0, withAt);
  const startTokens = tag(start);
  const startForm = startTokens && analyse(startTokens);
  if (startTokens === undefined || startForm === undefined) return undefined;
  const rest = startForm.finite ? start : thereIs(start, startTokens, startForm);
  if (rest === undefined) return undefined;
  const second = startForm.finite ? lowerFirst(rest, startTokens) : rest.replace(/^There/, 'there');
  const place = textOf(caption, tokens, withAt + 1, end);
  return `${there(caption, seen.plural)} ${place}, and ${second}${splitEnd(caption).end}`;
}

/** Verbs that may precede their subject: "on the plate sit two hot dogs". */
const stays = /^(sits?|stands?|lies?|lays?|hangs?|rests?)$/;

/** "Two hot dogs with toppings sit on the plate" → "On the plate sit two hot dogs with toppings". */
function placeFirstFinite(
  caption: string,
  tokens: readonly Token[],
  { subject, next, end }: Form,
): string | undefined {
  if (subject.possessive) return undefined;
  let at = next;
  if (/^(with|in)$/.test(tokens[at]?.lower ?? '')) {
    const more = fullNounPhraseAt(tokens, at + 1);
    if (more === undefined || more.possessive || beings.has(more.head.lower)) return undefined;
    at = more.to;
  }
  const verb = tokens[at];
  if (verb === undefined || !stays.test(verb.lower) || !onlyPlaces(tokens, at + 1, end) || at + 1 >= end)
    return undefined;
  const place = opening(caption, textOf(caption, tokens, at + 1, end));
  return `${place} ${verb.text} ${lowerFirst(textOf(caption, tokens, 0, at), tokens)}${splitEnd(caption).end}`;
}
