import { beyondFlips } from '../../perturb/text/beyond';
import { cleanFlips } from '../../perturb/text/flip/cleanFlip';
import type { RandomFor } from '../../perturb/text/flip/flip';
import { twoFronts } from '../../perturb/text/flip/relationFlip';
import { cleaned } from '../../perturb/text/paraphrase';
import { isNoun } from '../../perturb/text/tags';
import type { Token } from '../../perturb/text/token';
import type { TextVariant } from '../../perturb/text/variant';
import { containers } from '../../perturb/text/words';
import { mayBothBeTrue } from '../../perturb/words/alike';
import { conceptOf, isListed, peersOf } from '../../perturb/words/concepts';
import { contentOf, fitOf, weakestFitOf } from '../../perturb/words/fit';
import { plural, singular } from '../../perturb/words/number';
import { put } from '../../perturb/words/replace';
import { areInOneScene, fillsSlots, shownWith, slotsOf } from '../../perturb/words/slots';
import type { Candidate } from '../../protocol/triplets';
import { otherActivities } from './activities';
import { candidatesOf, leastLength, mostCandidates } from '../candidates';
import { arePets, isPossible, isUnmarkedPlural } from './possible';
import { otherPlaces } from './places';
import things from './things.json';

const mostNounsReplaced = 2;

/**
 * Groups whose nouns may be replaced. Words for people are missing, because a replacement could offend or also be
 * true. Words for clothes are missing, because people wear several clothes.
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
  'accessory',
  'place',
  'toy',
  'instrument',
]);
/** The minimum `fitOf` of a new word. Above 0, the word occurs near its neighbours more often than by chance. */
const leastFit = 0.3;
/** The minimum `weakestFitOf` of a new word. */
const weakestFit = -1.4;

/** Groups of things that captions usually mention if the image shows them. */
const apart = new Set(['animal', 'bird', 'vehicle', 'furniture']);
/** The largest `shownWith` of two nouns. Above it, an image of one thing may also show the other. */
const mostShared = { apart: 0.1, others: 0.045 };

/** Negatives of a caption: other nouns, places and activities, and flips such as opposites and negations. */
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
  const flips = candidatesOf(
    cleaned(flipped, caption, leastLength).filter((flip) => isLikely(flip, tokens ?? [])),
  );
  const replaced = replacements(caption, tokens ?? [], randomFor).slice(0, mostNounsReplaced);
  const seen = new Set([caption]);
  const moved = otherPlaces(caption, tokens ?? []).slice(0, 1);
  return [...replaced, ...moved, ...otherActivities(caption, tokens ?? [], randomFor), ...flips]
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .slice(0, mostCandidates);
}

/** Negations that read oddly: "not pictured", "no lot", or inside a compound, as in "kite not boarding". */
const oddDenial = /\b(not (shown|pictured|seen)|no lot|(kite|wind|snow|skate|wake|body|para) not \w+ing)\b/;

/** Whether a flip is plausible. Object flips are rejected, because `replacements` has stricter rules for nouns. */
function isLikely({ kind, was, span, text }: TextVariant, tokens: readonly Token[]): boolean {
  if (kind === 'object' || oddDenial.test(text)) return false;
  const made = text.slice(...span).toLowerCase();
  // Rejects "one girl in uniforms", made from "two girls in uniforms", because a later word is still plural.
  if (kind === 'number' && made.startsWith('one '))
    return tokens.every(({ lower, start }) => start < was[1] || singular(lower, isListed) === lower);
  if (kind === 'relation') return isLikelyRelation(made, text, tokens, was[1]);
  if (kind !== 'color') return true;
  // Rejects "a lush brown field", because "lush" already implies a colour.
  const near = text.slice(Math.max(0, span[0] - 12), span[1] + 8).toLowerCase();
  if ((near.match(/\w+/g) ?? []).some((word) => colorImplying.has(word))) return false;
  const at = tokens.findIndex(({ start, end }) => start < was[1] && end > was[0] && end - start > 2);
  const nouns = tokens.slice(at).findIndex(isNoun);
  const noun = tokens.at(at + nouns);
  if (at < 0 || nouns < 0 || !grown.has(conceptOf(noun!.lower) ?? '')) return true;
  return fillsSlots(singular(noun!.lower, isListed), [{ exact: `~${made.split(' ').at(-1)!}` }]);
}

/**
 * Whether the new relation is plausible and false. "Far" does not fit a close-up, and few things have an inside.
 * "Behind a laptop" may mean the same place as "in front of a laptop".
 */
function isLikelyRelation(made: string, text: string, tokens: readonly Token[], end: number): boolean {
  if (made.startsWith('far')) return !/\bclose[- ]?up\b/i.test(text);
  if (made !== 'inside' && made !== 'behind') return true;
  const thing = tokens.find(
    (token, i) => token.start >= end && isNoun(token) && !isNoun(tokens[i + 1] ?? token),
  );
  if (thing === undefined) return false;
  const word = singular(thing.lower, isListed);
  return made === 'inside' ? fillsSlots(word, [{ exact: 'inside' }]) : !twoFronts.has(word);
}

/** Adjectives that imply the colour of a thing. */
const colorImplying = new Set(things.colorImplying.split(' '));

/** Groups of things that have natural colours. */
const grown = new Set(['animal', 'bird', 'food', 'drink', 'nature']);

/** Replaces one noun per text with a noun of its kind that fits the caption and cannot name the same thing. */
function replacements(caption: string, tokens: readonly Token[], randomFor: RandomFor): Candidate[] {
  return tokens.flatMap((noun, at) => {
    if (!isNoun(noun) || !replaceable.has(conceptOf(noun.lower) ?? '') || isPartOfExpression(tokens, at))
      return [];
    if (isOneOfMany(tokens, at) || isComparedWithOthers(tokens, at) || isUnmarkedPlural(tokens, at))
      return [];
    const word = singular(noun.lower, isListed);
    if (tokens.some((other) => other !== noun && singular(other.lower, isListed) === word)) return [];
    const peers = peersOf(word);
    // A general word, such as "animal", may mean the same thing as another word of its group, such as "dog".
    if (!peers.includes(word) || homonym.test(word)) return [];
    const isMany = word !== noun.lower;
    const slots = slotsOf(tokens, at);
    const context = contentOf(caption).filter(({ start }) => start !== noun.start);
    const isApart = apart.has(conceptOf(word)!);
    const fitting = peers
      .filter(
        (peer) =>
          !mayBothBeTrue(word, peer) &&
          Math.max(shownWith(word, peer), shownWith(peer, word)) <=
            (isApart ? mostShared.apart : mostShared.others) &&
          fillsSlots(peer, slots) &&
          (arePets(word, peer) || context.every((other) => areInOneScene(peer, other.word))) &&
          weakestFitOf(peer, caption, noun.start, noun.end) >= weakestFit &&
          isPossible(tokens, at, peer) &&
          !homonym.test(peer) &&
          !tokens.some((other) => other !== noun && mayBothBeTrue(singular(other.lower, isListed), peer)),
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

/**
 * Whether the image may show the replacement, too: the caption enumerates some things ("a cup and a plate"), names
 * one of the many things of a place ("a kitchen with a stove"), or names a part ("the side of a road").
 */
function isOneOfMany(tokens: readonly Token[], at: number): boolean {
  if (tokens.slice(Math.max(0, at - 4), at).some(({ lower }) => /^(side|edge|bend|middle)$/.test(lower)))
    return true;
  if ([at - 2, at - 1, at + 1].some((near) => /^(and|or|,|&)$/.test(tokens[near]?.lower ?? ''))) return true;
  const has = tokens.findIndex(({ lower }) => /^(with|has|have|including|containing)$/.test(lower));
  return (
    has !== -1 &&
    has < at &&
    tokens.slice(0, has).some(({ lower }) => containers.has(singular(lower, isListed)))
  );
}

/** Whether "other" refers to the noun's group. In "a car with other cars", both nouns would have to change. */
function isComparedWithOthers(tokens: readonly Token[], at: number): boolean {
  const group = conceptOf(tokens[at].lower);
  return tokens.some(
    ({ lower }, i) =>
      /^(an)?other$/.test(lower) &&
      tokens.slice(i + 1, i + 4).some((noun) => isNoun(noun) && conceptOf(noun.lower) === group),
  );
}

/** Words with a second common meaning, such as a computer's mouse or a toy bear. */
const homonym = /^(mouse|bat|bear|crane|seal|orange|glass|glasses|plane|screen)$/;

/** Whether the noun belongs to a longer expression, such as "fire hydrant", "bottle of wine" or "Big Ben". */
function isPartOfExpression(tokens: readonly Token[], at: number): boolean {
  const [before, noun, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (at > 0 && /^\p{Lu}/u.test(noun.text)) return true;
  return (
    (before !== undefined && (isNoun(before) || /^(hot|teddy|stuffed|toy|polar)$/.test(before.lower))) ||
    (after !== undefined && (isNoun(after) || /^('s|of|-)$/.test(after.lower)))
  );
}
