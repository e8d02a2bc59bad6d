import { isPluralNoun, nounPhraseAt } from './analysis';
import { inCaseOf, type RandomFor } from './flip/flip';
import { isNoun } from './tags';
import type { Token } from './token';
import { variantOf, type TextVariant } from './variant';
import { paperVocabulary } from './vocabulary';
import { relation } from './flip/relationFlip';
import { list, people, imageNouns } from './words';

/** Which additional flips to make, beyond the paper's flips. No metric of the paper includes additional flips. */
export interface BeyondOptions {
  beyondVocabulary: boolean;
  beyondNegation: boolean;
  beyondRelation: boolean;
  beyondMulti: boolean;
}

/** Additional flips, which keep agreement (a or an, singular or plural) and change something visible. */
export function beyondFlips(
  caption: string,
  tokens: readonly Token[] | undefined,
  options: BeyondOptions,
  randomFor: RandomFor,
): TextVariant[] {
  if (tokens === undefined) return [];
  const sites = [...colorSite(tokens), ...numberSite(tokens), ...objectSite(tokens)];
  return [
    ...(options.beyondVocabulary
      ? sites.map((site) => fromSites(caption, [site], site.kind, randomFor))
      : []),
    ...(options.beyondNegation ? negation(caption, tokens) : []),
    ...(options.beyondRelation ? relation(caption, tokens) : []),
    ...(options.beyondMulti && sites.length > 1 ? [fromSites(caption, sites, 'multi', randomFor)] : []),
  ];
}

/** Replaces the text between two offsets of the caption. */
interface Edit {
  start: number;
  end: number;
  put: string;
}

interface Site {
  kind: 'color' | 'number' | 'object';
  token: Token;
  /** The article before the word, which may have to change. */
  article: Token | undefined;
  others: readonly string[];
}

export const colors = [
  ...paperVocabulary.color,
  'grey',
  'tan',
  'beige',
  'silver',
  'maroon',
  'turquoise',
  'violet',
  'teal',
];
const numbers = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Singular and plural names of objects. A group's are of similar kinds: a swap is wrong but plausible. */
const objectGroups = [
  'dog dogs, cat cats, rabbit rabbits, pig pigs, goat goats',
  'horse horses, cow cows, elephant elephants, giraffe giraffes, zebra zebras, lion lions, camel camels',
  'bird birds, duck ducks, owl owls, eagle eagles, parrot parrots, seagull seagulls',
  'car cars, bus buses, truck trucks, van vans, tractor tractors',
  'motorcycle motorcycles, bicycle bicycles, scooter scooters',
  'boat boats, ship ships, canoe canoes, raft rafts',
  'airplane airplanes, helicopter helicopters, glider gliders',
  'pizza pizzas, sandwich sandwiches, cake cakes, hamburger hamburgers, salad salads, pie pies',
  'apple apples, banana bananas, pear pears, lemon lemons, peach peaches, avocado avocados',
  'couch couches, bed beds, bench benches, chair chairs',
  'laptop laptops, phone phones, camera cameras, radio radios',
  'skateboard skateboards, surfboard surfboards, snowboard snowboards',
  'umbrella umbrellas, suitcase suitcases, backpack backpacks, basket baskets',
  'bowl bowls, cup cups, plate plates, vase vases, bottle bottles',
].map((group) => group.split(', ').map((pair) => pair.split(' ')));

const objectForms = new Map(
  objectGroups.flatMap((group) =>
    group.flatMap(([one, many]): [string, string[]][] => [
      [one, group.filter(([other]) => other !== one).map(([other]) => other)],
      [many, group.filter(([other]) => other !== one).map(([, others]) => others)],
    ]),
  ),
);

/** Colours that people confuse with each other. */
export const nearColors = [
  ['white', 'silver', 'beige'],
  ['gray', 'grey', 'silver', 'black'],
  ['brown', 'tan', 'beige', 'maroon', 'orange'],
  ['red', 'maroon', 'pink', 'orange'],
  ['blue', 'teal', 'turquoise'],
  ['green', 'teal', 'turquoise'],
  ['purple', 'violet', 'pink'],
  ['yellow', 'orange', 'tan'],
];

/** Before one of these nouns, a colour names a kind: orange juice, white wine, a red light. */
const kindsByColor = list(
  'juice wine pepper peppers bean beans rice bear bears tea onion onions cabbage light lights jay house sox meat chocolate bread sugar coffee card box carpet tape collar water belt flag cab pages',
);

function colorSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => colors.includes(lower) && seenColor(tokens, i));
  return at < 0 ? [] : [site('color', tokens, at, colors)];
}

export function seenColor(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const before = tokens[at - 1];
  // "Black and white" is one style, so neither colour may change alone.
  if (next?.lower === 'and' || before?.lower === 'and') return false;
  if (next !== undefined && (kindsByColor.has(next.lower) || people.has(next.lower))) return false;
  if (next !== undefined && (isNoun(next) || next.pos === 'ADJ'))
    return tokens[at].pos === 'ADJ' || tokens[at].pos === 'NOUN';
  // A green traffic light means go, so no other colour fits.
  if (tokens.slice(0, at).some(({ lower }) => /^(lights?|lite|signals?)$/.test(lower))) return false;
  return before !== undefined && /^(is|are)$/.test(before.lower) && tokens[at].pos === 'ADJ';
}

function numberSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => {
    if (!numbers.includes(lower)) return false;
    const phrase = nounPhraseAt(tokens, i);
    return phrase?.plural === true && isPluralNoun(phrase.head.lower) && tokens[phrase.to]?.lower !== 'of';
  });
  return at < 0 ? [] : [site('number', tokens, at, numbers)];
}

function objectSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => {
    if (!objectForms.has(lower) || !isNoun(tokens[i])) return false;
    // Skips a word that is part of another name ("fire truck", "bus stop", "hot dog") or of a measure ("a plate of").
    const [before, after] = [tokens[i - 1], tokens[i + 1]];
    if (isNounAt(tokens, i - 1) || isNounAt(tokens, i + 1)) return false;
    return (
      !/^(hot|teddy|toy|stuffed|polar|sea)$/.test(before?.lower ?? '') &&
      !/^('s|of|stop|stops)$/.test(after?.lower ?? '')
    );
  });
  return at < 0 ? [] : [site('object', tokens, at, objectForms.get(tokens[at].lower) ?? [])];
}

export function isNounAt(tokens: readonly Token[], at: number): boolean {
  return tokens[at] !== undefined && isNoun(tokens[at]);
}

function site(kind: Site['kind'], tokens: readonly Token[], at: number, words: readonly string[]): Site {
  const token = tokens[at];
  const before = tokens[at - 1];
  const article = before !== undefined && /^an?$/.test(before.lower) ? before : undefined;
  const same = new Set([token.lower, ...nearColors.filter((near) => near.includes(token.lower)).flat()]);
  return { kind, token, article, others: words.filter((word) => !same.has(word)) };
}

function fromSites(caption: string, sites: readonly Site[], kind: string, randomFor: RandomFor): TextVariant {
  const edits = sites.flatMap(({ kind: type, token, article, others }) => {
    const word = inCaseOf(token.text, randomFor(`beyond.${type}`).pick(others));
    const edit = { start: token.start, end: token.end, put: word };
    if (article === undefined) return [edit];
    return [{ start: article.start, end: article.end, put: articleLike(article.text, word) }, edit];
  });
  edits.sort((a, b) => b.start - a.start);
  const text = edits.reduce(
    (result, { start, end, put }) => result.slice(0, start) + put + result.slice(end),
    caption,
  );
  return variantOf(caption, text, { family: 'beyond', kind, rule: `beyond: ${kind}` });
}

/** The article for a word, with a capital letter if `model` starts with one. */
function articleLike(model: string, word: string): string {
  const article = /^[aeiou]/i.test(word) ? 'an' : 'a';
  return /^\p{Lu}/u.test(model) ? `A${article.slice(1)}` : article;
}

/**
 * Makes the first of these changes that is possible: "is riding" → "is not riding" or "there is a" → "there is
 * no", "a man riding" → "a man not riding", "with a hat" → "without a hat".
 */
function negation(caption: string, tokens: readonly Token[]): TextVariant[] {
  if (tokens.some(({ lower }) => denials.has(lower))) return [];
  const edit = denyBe(tokens) ?? denyAction(tokens) ?? denyWith(tokens);
  if (edit === undefined) return [];
  const put = caption === caption.toUpperCase() ? edit.put.toUpperCase() : edit.put;
  const text = caption.slice(0, edit.start) + put + caption.slice(edit.end);
  return [variantOf(caption, text, { family: 'beyond', kind: 'negation', rule: 'beyond: negation' })];
}

/** Words that negate. A caption that contains one of them is skipped. */
const denials = new Set(['not', 'no', 'without', 'never', "n't", 'nothing', 'nobody', 'none']);

function denyBe(tokens: readonly Token[]): Edit | undefined {
  const at = tokens.findIndex(
    ({ lower }, i) =>
      /^(is|are)$/.test(lower) && i > 0 && !/^(who|that|which|it|its)$/.test(tokens[i - 1].lower),
  );
  const [be, next] = [tokens[at], tokens[at + 1]];
  if (be === undefined || next === undefined) return undefined;
  if (tokens[at - 1].lower !== 'there') return { start: be.end, end: be.end, put: ' not' };
  // In "there are a toilet, a sink", the negation would apply only to the first item.
  if (!/^an?$/.test(next.lower) || tokens.some(({ text }) => text === ',')) return undefined;
  // "There is no image of a dog" would deny the image instead of the dog.
  const phrase = nounPhraseAt(tokens, at + 1);
  if (phrase === undefined || imageNouns.has(phrase.head.lower)) return undefined;
  return { start: next.start, end: next.end, put: 'no' };
}

function denyAction(tokens: readonly Token[]): Edit | undefined {
  const verb = tokens.find(
    ({ pos, lower }, i) => pos === 'VERB' && lower.endsWith('ing') && isNounAt(tokens, i - 1),
  );
  return verb && { start: verb.start, end: verb.start, put: 'not ' };
}

function denyWith(tokens: readonly Token[]): Edit | undefined {
  const word = tokens.find(
    ({ lower }, i) => lower === 'with' && tokens[i + 1]?.pos === 'DET' && tokens[i - 1]?.pos !== 'VERB',
  );
  return word && { start: word.start, end: word.end, put: 'without' };
}
