import { nounPhraseAt } from './analysis';
import { inCaseOf, type RandomFor } from './flip';
import { isNoun } from './tags';
import type { Token } from './tagger';
import { variantOf, type TextVariant } from './variant';
import { paperVocabulary } from './vocabulary';
import { people } from './words';

/** Flips the paper does not have, each kind asked for by itself. They never enter the paper's figures. */
export interface BeyondOptions {
  beyondVocabulary: boolean;
  beyondNegation: boolean;
  beyondRelation: boolean;
  beyondMulti: boolean;
}

/** Every beyond flip keeps agreement (a or an, one or many) and passes a check that the change can be seen in a picture. */
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

interface Site {
  kind: 'color' | 'number' | 'object';
  token: Token;
  /** The article before the word, which may have to change. */
  article: Token | undefined;
  others: readonly string[];
}

const colors = [
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

/** Singular and plural, grouped so that a flip stays among things that can stand in the same place. */
const objectGroups = [
  'dog dogs, cat cats, horse horses, cow cows, sheep sheep, elephant elephants, giraffe giraffes, zebra zebras, bear bears, goat goats, pig pigs, lion lions, monkey monkeys, rabbit rabbits',
  'bird birds, duck ducks, goose geese, owl owls, eagle eagles, parrot parrots, seagull seagulls',
  'car cars, bus buses, truck trucks, van vans, taxi taxis, motorcycle motorcycles, bicycle bicycles, scooter scooters, tractor tractors',
  'train trains, boat boats, ship ships, airplane airplanes, helicopter helicopters, canoe canoes',
  'pizza pizzas, sandwich sandwiches, cake cakes, hamburger hamburgers, salad salads, omelet omelets',
  'apple apples, banana bananas, orange oranges, pear pears, lemon lemons, peach peaches, avocado avocados',
  'chair chairs, couch couches, bed beds, table tables, desk desks, bench benches, ottoman ottomans',
  'laptop laptops, television televisions, phone phones, keyboard keyboards, camera cameras, radio radios',
  'skateboard skateboards, surfboard surfboards, snowboard snowboards, umbrella umbrellas, kite kites, suitcase suitcases, backpack backpacks',
  'bowl bowls, cup cups, plate plates, vase vases, bottle bottles, glass glasses',
].map((group) => group.split(', ').map((pair) => pair.split(' ')));

const objectForms = new Map(
  objectGroups.flatMap((group) =>
    group.flatMap(([one, many]): [string, string[]][] =>
      one === many
        ? []
        : [
            [one, group.filter(([other]) => other !== one).map(([other]) => other)],
            [many, group.filter(([other]) => other !== one).map(([, others]) => others)],
          ],
    ),
  ),
);

/** A colour before one of these names a kind and not a colour: orange juice, white wine, a red light. */
const kindsByColor = new Set(
  'juice wine pepper peppers bean beans rice bear bears tea onion onions cabbage light lights jay house sox meat chocolate bread sugar coffee card box carpet tape collar water belt flag cab pages'.split(
    ' ',
  ),
);

function colorSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => colors.includes(lower) && seenColor(tokens, i));
  return at < 0 ? [] : [site('color', tokens, at, colors)];
}

function seenColor(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const before = tokens[at - 1];
  // "black and white" is one look; one half of it is no flip.
  if (next?.lower === 'and' || before?.lower === 'and') return false;
  if (next !== undefined && (kindsByColor.has(next.lower) || people.has(next.lower))) return false;
  if (next !== undefined && (isNoun(next) || next.pos === 'ADJ'))
    return tokens[at].pos === 'ADJ' || tokens[at].pos === 'NOUN';
  return before !== undefined && /^(is|are)$/.test(before.lower) && tokens[at].pos === 'ADJ';
}

function numberSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => {
    if (!numbers.includes(lower)) return false;
    const phrase = nounPhraseAt(tokens, i);
    return phrase?.plural === true && tokens[phrase.to]?.lower !== 'of';
  });
  return at < 0 ? [] : [site('number', tokens, at, numbers)];
}

function objectSite(tokens: readonly Token[]): Site[] {
  const at = tokens.findIndex(({ lower }, i) => {
    if (!objectForms.has(lower) || !isNoun(tokens[i])) return false;
    // "fire truck", "bus stop", "hot dog": part of a name for something else.
    const alone = !isNounAt(tokens, i - 1) && !isNounAt(tokens, i + 1);
    return (
      alone &&
      !/^(hot|teddy|toy|stuffed|polar)$/.test(tokens[i - 1]?.lower ?? '') &&
      tokens[i + 1]?.text !== "'s"
    );
  });
  return at < 0 ? [] : [site('object', tokens, at, objectForms.get(tokens[at].lower) ?? [])];
}

function isNounAt(tokens: readonly Token[], at: number): boolean {
  return tokens[at] !== undefined && isNoun(tokens[at]);
}

function site(kind: Site['kind'], tokens: readonly Token[], at: number, words: readonly string[]): Site {
  const token = tokens[at];
  const before = tokens[at - 1];
  const article = before !== undefined && /^an?$/.test(before.lower) ? before : undefined;
  const same = new Set([token.lower, ...(/^gr[ae]y$/.test(token.lower) ? ['gray', 'grey'] : [])]);
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

/** The article before a word, with a capital where the old one had it. */
function articleLike(model: string, word: string): string {
  const article = /^[aeiou]/i.test(word) ? 'an' : 'a';
  return /^\p{Lu}/u.test(model) ? `A${article.slice(1)}` : article;
}

/** "is riding" → "is not riding", "a man riding" → "a man not riding", "with a hat" → "without a hat": the first that fits. */
function negation(caption: string, tokens: readonly Token[]): TextVariant[] {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (/^(not|no|without|never|n't)$/.test(next?.lower ?? '')) continue;
    let text: string | undefined;
    if (/^(is|are)$/.test(token.lower) && tokens[i - 1]?.lower === 'there') {
      const counted = next?.lower === 'a' || next?.lower === 'an';
      if (counted) text = caption.slice(0, next.start) + 'no' + caption.slice(next.end);
    } else if (/^(is|are)$/.test(token.lower) && i > 0 && next !== undefined) {
      text = caption.slice(0, token.end) + ' not' + caption.slice(token.end);
    } else if (token.pos === 'VERB' && token.lower.endsWith('ing') && isNounAt(tokens, i - 1)) {
      text = caption.slice(0, token.start) + 'not ' + caption.slice(token.start);
    } else if (token.lower === 'with' && next?.pos === 'DET') {
      text = caption.slice(0, token.start) + 'without' + caption.slice(token.end);
    }
    if (text !== undefined)
      return [variantOf(caption, text, { family: 'beyond', kind: 'negation', rule: 'beyond: negation' })];
  }
  return [];
}

const opposites: readonly (readonly [string, string])[] = [
  ['in front of', 'behind'],
  ['on top of', 'underneath'],
  ['next to', 'far from'],
  ['on the left', 'on the right'],
  ['above', 'below'],
  ['inside', 'outside'],
  ['behind', 'in front of'],
  ['underneath', 'on top of'],
  ['under', 'on top of'],
  ['beneath', 'on top of'],
  ['below', 'above'],
  ['outside', 'inside'],
  ['beside', 'far from'],
  ['near', 'far from'],
  ['far from', 'next to'],
];

/** The first relation in space becomes its opposite. */
function relation(caption: string, tokens: readonly Token[]): TextVariant[] {
  for (let i = 1; i < tokens.length; i++) {
    for (const [words, opposite] of opposites) {
      const parts = words.split(' ');
      if (!parts.every((part, k) => tokens[i + k]?.lower === part)) continue;
      const last = tokens[i + parts.length - 1];
      if (tokens[i + parts.length] === undefined && parts.length === 1) continue;
      const text = caption.slice(0, tokens[i].start) + opposite + caption.slice(last.end);
      return [variantOf(caption, text, { family: 'beyond', kind: 'relation', rule: 'beyond: relation' })];
    }
  }
  return [];
}
