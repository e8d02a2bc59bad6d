import { Random } from '../base/random';
import type { Caption, Example } from '../dataset/example';
import { advancedParaphrases, cleaned } from '../perturb/text/paraphrase';
import { beyondFlips } from '../perturb/text/beyond';
import { cleanFlips } from '../perturb/text/flip/cleanFlip';
import { reorderings } from '../perturb/text/reorder';
import { synonyms } from '../perturb/text/synonym';
import type { RandomFor } from '../perturb/text/flip/flip';
import { rulesApply } from '../perturb/text/fileLanguage';
import { tag } from '../perturb/text/tagger';
import type { Token } from '../perturb/text/token';
import type { TextVariant } from '../perturb/text/variant';
import { mayBothBeTrue } from '../perturb/words/alike';
import { conceptOf, isListed, peersOf } from '../perturb/words/concepts';
import { fitOf } from '../perturb/words/fit';
import { plural, singular } from '../perturb/words/number';
import { put } from '../perturb/words/replace';
import { isNoun } from '../perturb/text/tags';
import { containers } from '../perturb/text/words';
import type { Candidate } from '../protocol/triplets';
import type { HalfTriplet } from './half';

const leastLength = 5;
const mostCandidates = 5;
/** More replacements per caption would only repeat the idea. */
const mostNounsReplaced = 2;

/**
 * Groups of visible things. Groups of people are excluded, because a replacement could offend or also be
 * true.
 */
const replaceable = new Set([
  'animal',
  'bird',
  'food',
  'drink',
  'household',
  'furniture',
  'electronics',
  'vehicle',
  'sport',
  'clothing',
  'accessory',
  'place',
  'toy',
  'instrument',
]);
/** The least fit of a new word: captions contain it between such neighbours more often than by chance. */
const leastFit = 0.4;

/**
 * Makes one half triplet per image: from its first caption with candidates on both sides, otherwise from its
 * first caption.
 */
export async function* mineByRules(
  examples: AsyncIterable<Example>,
  seed: number,
  language: string | undefined,
  leaveOut: (reason: string) => void,
): AsyncGenerator<HalfTriplet> {
  for await (const example of examples) {
    let half: HalfTriplet | undefined;
    for (const [at, caption] of example.captions.entries()) {
      if (caption.role !== 'caption') continue;
      const next = halfByRules(example, caption, at, seed, language);
      half ??= next;
      if (next.positives.length === 0 || next.negatives.length === 0) continue;
      half = next;
      break;
    }
    if (half === undefined) leaveOut('no caption');
    else yield half;
  }
}

/** Pairs of a caption and a negative, still without a second positive. */
export async function* minePairs(
  examples: AsyncIterable<Example>,
  leaveOut: (reason: string) => void,
): AsyncGenerator<HalfTriplet> {
  for await (const example of examples) {
    const caption = example.captions.find(({ role }) => role === 'caption');
    const negatives = example.captions.filter(({ role }) => role === 'negative');
    if (caption === undefined || negatives.length === 0) {
      leaveOut(caption === undefined ? 'no caption' : 'no negative caption');
      continue;
    }
    const text = caption.text.trim();
    yield {
      ...headOf(example, caption),
      caption: text,
      positives: positivesByRules(text, tag(text)),
      negatives: negatives.map(({ text: negative }) => ({ text: negative.trim(), from: 'given' })),
    };
  }
}

function halfByRules(
  example: Example,
  caption: Caption,
  at: number,
  seed: number,
  language: string | undefined,
): HalfTriplet {
  const text = caption.text.trim();
  const head = headOf(example, caption);
  if (!rulesApply(text, language)) return { ...head, caption: text, positives: [], negatives: [] };
  const tokens = tag(text);
  const randomFor: RandomFor = (purpose) => new Random(seed, example.id, at, purpose);
  return {
    ...head,
    caption: text,
    positives: positivesByRules(text, tokens),
    negatives: negativesByRules(text, tokens, randomFor),
  };
}

function headOf(example: Example, caption: Caption): { id: string; image?: string } {
  const image = example.images.at(caption.image)?.name;
  return { id: example.id, ...(image === undefined ? {} : { image }) };
}

/**
 * LGIP's paraphrase rules and rules that move whole phrases, each also with synonyms. The paper's templates
 * are excluded, because they only wrap the caption. Candidates that differ in most words come first.
 */
export function positivesByRules(caption: string, tokens: readonly Token[] | undefined): Candidate[] {
  const single = [...advancedParaphrases(caption, tokens), ...reorderings(caption, tokens)];
  const twice = single.map((variant) => ({ ...withSynonyms(variant), kind: variant.kind }));
  const all = cleaned([...single, ...twice], caption, leastLength)
    .map((variant) => ({ variant, distance: wordDistance(caption, variant.text) }))
    .sort((a, b) => b.distance - a.distance);
  return candidatesOf(all.map(({ variant }) => variant));
}

const mostSynonyms = 4;

/** Replaces one word after another by a synonym, where one fits. */
function withSynonyms(variant: TextVariant): TextVariant {
  let { text } = variant;
  const seen = new Set([text]);
  for (let i = 0; i < mostSynonyms; i++) {
    const next = synonyms(text, tag(text) ?? []).find((made) => !seen.has(made.text));
    if (next === undefined) break;
    ({ text } = next);
    seen.add(text);
  }
  return { ...variant, text, rule: text === variant.text ? variant.rule : `${variant.rule}, synonyms` };
}

/** The least number of words to insert, remove or replace. */
export function wordDistance(before: string, after: string): number {
  const [a, b] = [before, after].map((text) => text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []);
  let row = b.map((_, j) => j + 1);
  for (const [i, word] of a.entries()) {
    let corner = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + (word === b[j] ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return row.at(-1) ?? a.length;
}

/** Makes flips that keep agreement, opposite relations, negations, and nouns replaced within their group. */
export function negativesByRules(
  caption: string,
  tokens: readonly Token[] | undefined,
  randomFor: RandomFor,
): Candidate[] {
  const options = { beyondVocabulary: false, beyondNegation: true, beyondRelation: true, beyondMulti: false };
  const flipped = [
    ...cleanFlips(caption, tokens, randomFor),
    ...beyondFlips(caption, tokens, options, randomFor),
  ];
  const flips = candidatesOf(cleaned(flipped, caption, leastLength));
  const replaced = replacements(caption, tokens ?? [], randomFor).slice(0, mostNounsReplaced);
  const seen = new Set([caption]);
  return [...replaced, ...flips]
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, mostCandidates);
}

/** Replaces each noun by a noun of its group that fits its neighbours and is not true of the same thing. */
function replacements(caption: string, tokens: readonly Token[], randomFor: RandomFor): Candidate[] {
  return tokens.flatMap((noun, at) => {
    if (!isNoun(noun) || !replaceable.has(conceptOf(noun.lower) ?? '') || isPartOfName(tokens, at)) return [];
    if (isOneOfMany(tokens, at)) return [];
    const word = singular(noun.lower, isListed);
    const peers = peersOf(word);
    // A general word, such as "animal", is also true of a replacement from its group.
    if (!peers.includes(word) || homonym.test(word)) return [];
    const isMany = word !== noun.lower;
    const fitting = peers
      .filter(
        (peer) =>
          !mayBothBeTrue(word, peer) &&
          isSameForm(word, peer) &&
          !isOdd(tokens, at, peer) &&
          !tokens.some(({ lower }) => lower === peer || lower === plural(peer)),
      )
      .map((peer) => ({ peer, fit: fitOf(peer, caption, noun.start, noun.end) }))
      .filter(({ fit }) => fit >= leastFit)
      .sort((a, b) => b.fit - a.fit || (a.peer < b.peer ? -1 : 1))
      .slice(0, 5);
    if (fitting.length === 0) return [];
    const { peer } = randomFor(`replace.${at}`).pick(fitting);
    const made = put(caption, noun, isMany ? plural(peer) : peer, true);
    return [{ text: made.text, from: `${made.from} → ${made.to}` }];
  });
}

/** Things of sport that are used alike: ridden, thrown, hit with, or played. */
const sportUses = [
  /^(skateboard|surfboard|snowboard|bodyboard|sled|wakeboard)$/,
  /^(ball|baseball|football|frisbee|basketball|volleyball)$/,
  /^(racket|racquet|bat|club)$/,
  /^(tennis|soccer|golf|hockey|cricket|rugby|polo|badminton|basketball|volleyball)$/,
];

/** Whether the new word makes an implausible phrase: on a cup, in a sidewalk, sits at a stool, throws a bat. */
function isOdd(tokens: readonly Token[], at: number, peer: string): boolean {
  const before = tokens.slice(Math.max(0, at - 3), at).map(({ lower }) => lower);
  const after = tokens.slice(at + 1).map(({ lower }) => lower);
  const carries = before.includes('on') || (after.includes('on') && after.includes('it'));
  if (carries && /^(cup|mug|glass|bottle|vase|figurine|fork|spoon|knife|jar|skate)$/.test(peer)) return true;
  if (before.includes('at') && /^(stool|chair|bench|sofa|couch)$/.test(peer)) return true;
  if (before.includes('in') && /^(sidewalk|curb|corner|bench|stool)$/.test(peer)) return true;
  if (
    /^(racket|racquet|bat|net)$/.test(peer) &&
    before.some((word) => /^(hit|hitting|hits|up|throwing)$/.test(word))
  )
    return true;
  if (peer === 'remote' && tokens[at].lower === 'controller') return true;
  // "Two giraffe": the plural does not show.
  const isUnmarked =
    before.some((word) => /^(two|three|four|five|several|many)$/.test(word)) ||
    (before.at(-1) === 'of' && conceptOf(peer) === 'animal');
  if (isUnmarked && singular(tokens[at].lower, isListed) === tokens[at].lower) return true;
  const use = sportUses.find((uses) => uses.test(singular(tokens[at].lower, isListed)));
  return /^(skate|intersection)$/.test(peer) || (conceptOf(peer) === 'sport' && use?.test(peer) !== true);
}

/**
 * Whether the noun is one of many things in a room or a street. Captions rarely name all, so the new thing
 * may be there, too.
 */
function isOneOfMany(tokens: readonly Token[], at: number): boolean {
  if (tokens.slice(Math.max(0, at - 4), at).some(({ lower }) => /^(side|edge|bend|middle)$/.test(lower)))
    return true;
  const has = tokens.findIndex(({ lower }) => /^(with|has|have|including|containing)$/.test(lower));
  return (
    has !== -1 &&
    has < at &&
    tokens.slice(0, has).some(({ lower }) => containers.has(singular(lower, isListed)))
  );
}

/** Mass nouns, and nouns that have only a plural. Neither takes "a". */
const mass =
  /^(pasta|spaghetti|rice|bread|toast|bacon|beef|pork|ham|sushi|curry|tofu|lettuce|broccoli|cabbage|spinach|cauliflower|celery|corn|garlic|asparagus|cilantro|parsley|basil|butter|cheese|cream|mustard|ketchup|mayonnaise|syrup|jam|jelly|honey|sugar|salt|cinnamon|frosting|icing|chocolate|caramel|gravy|vinegar|barbecue|roast|coffee|tea|milk|juice|lemonade|soda|cola|beer|wine|champagne|whiskey|tennis|soccer|golf|hockey|cricket|rugby|polo|badminton|wrestling|boxing)$/;
const pairsOnly = /^(pants|jeans|shorts|sunglasses|glasses|goggles|headphones|scissors)$/;

/** Words with another meaning that captions often have: the mouse of a computer, the bat of a player. */
const homonym = /^(mouse|bat|crane|seal|orange|glass|glasses|plane|screen)$/;

function isSameForm(word: string, peer: string): boolean {
  return mass.test(word) === mass.test(peer) && pairsOnly.test(word) === pairsOnly.test(peer);
}

/** "fire hydrant", "Big Ben", "tennis-court": the word names something only with its neighbour. */
function isPartOfName(tokens: readonly Token[], at: number): boolean {
  const [before, noun, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (at > 0 && /^\p{Lu}/u.test(noun.text)) return true;
  return (
    (before !== undefined && (isNoun(before) || /^(hot|teddy|stuffed|toy|polar)$/.test(before.lower))) ||
    (after !== undefined && (isNoun(after) || /^('s|of|-)$/.test(after.lower)))
  );
}

function candidatesOf(variants: readonly TextVariant[]): Candidate[] {
  return variants.slice(0, mostCandidates).map(({ text, rule }) => ({ text, from: rule }));
}
