import { isNoun } from '../../text/tags';
import type { Token } from '../../text/token';
import { conceptOf, isListed } from '../concepts';
import { isPlural } from '../number';

/** Groups whose nouns describe the next noun, and are true of its thing on their own: "a marble floor". */
const describing = /^(material|color)$/;
/** Groups whose nouns are names. */
const named = /^(brand|country|event|time)$/;
/** Groups in which the last noun of an unknown compound says the kind: "baseball cap", but not "flower bed". */
const namesKind = /^(animal|vehicle|clothing|food|drink|electronics)$/;
/** Groups whose nouns are subjects of verbs. After other nouns, the verb may be a noun: "the orange handles". */
const acting = /^(person|animal|bird|vehicle)$/;
/** Verbs that follow a noun as its adjective: "a window left open". */
const participles = /(ing|ed)$|^(left|cut|set|lit|open)$/;
const owning = /^(person|animal|bird|toy)$/;

/** Sports whose names also name their balls: "playing baseball", but "throwing a baseball". */
const alsoBalls = /^(base|foot|basket|volley)balls?$/;
/** Parts of a body that are also parts of things: "a sink on legs". */
const alsoOfThings = /^(head|mouth|neck|arm|leg|foot|feet)s?$/;
/** What a camera makes. In "taking a picture" and "in this picture", it is no thing in the image. */
const imageNouns = /^(photo|photograph|picture|image|selfie|snapshot|portrait)s?$/;
/** Words of baseball, in which a plate is no dish. */
const ofBaseball = /^(base|bat|pitch|catcher|umpire|home|player|hitter|swing)/;
const takingOfImages = /^(tak|took|pos(e|ing)|snap)/;

/**
 * Whether a noun means in its caption what its group says. A noun of a longer name or compound does not: "a fish eye
 * view", "Burger King". The compounds of compounds.json are nouns of their own.
 */
export function meansItsSort(tokens: readonly Token[], noun: Token, group = ''): boolean {
  const first = tokens.findIndex(({ end }) => end > noun.start);
  const last = tokens.findLastIndex(({ start }) => start < noun.end);
  // "A bus stops" is no bus stop.
  if (first < 0 || tokens[last].pos === 'VERB') return false;
  if (!named.test(group) && isPartOfName(tokens, first)) return false;
  if (describing.test(group)) return true;
  const before = tokens[first - 1] as Token | undefined;
  // The car of a train is no automobile.
  const isHead = namesKind.test(group) && noun.lower !== 'car';
  if (before !== undefined && isCompounded(before, noun) && !isHead) return false;
  if (isVerb(before, tokens[last + 1])) return false;
  return !describesNext(tokens, last, group) && isUsual(tokens, noun, before, group);
}

/** Whether a word between these two is rather a verb: "kites pepper the sky". */
function isVerb(before: Token | undefined, after: Token | undefined): boolean {
  return before !== undefined && isNoun(before) && isPlural(before.lower, isListed) && after?.pos === 'DET';
}

/** Whether the noun and a neighbour are capitalised, and other words of their kinds are not. */
function isPartOfName(tokens: readonly Token[], at: number): boolean {
  if (!isCapital(tokens[at])) return false;
  if (tokens.every((token) => isCapital(token) || !/^(NOUN|VERB|ADJ)$/.test(token.pos))) return false;
  const [before, after] = [tokens[at - 1], tokens[at + 1]] as (Token | undefined)[];
  return (before !== undefined && before.pos !== 'DET' && isCapital(before)) || isCapital(after);
}

function isCapital(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}/u.test(token.text);
}

/** Whether two neighbours form a compound of nouns. A material or a colour only describes the second noun. */
function isCompounded(one: Token, other: Token): boolean {
  return isNoun(one) && isNoun(other) && !describing.test(conceptOf(one.lower) ?? '');
}

/** Whether the noun is part of the next noun or of its adjective: "lime green walls", "king sized bed". */
function describesNext(tokens: readonly Token[], at: number, group: string): boolean {
  const [noun, after, next] = [tokens[at], tokens[at + 1], tokens[at + 2]] as [
    Token,
    ...(Token | undefined)[],
  ];
  if (after === undefined) return false;
  if (isCompounded(noun, after)) return true;
  // "The orange handles are", but "an umbrella covers a bench".
  const isEnd = next === undefined || next.lower === 'of' || /^(AUX|PUNCT|VERB)$/.test(next.pos);
  if (after.pos === 'VERB' && !acting.test(group)) {
    if (isPlural(after.lower, isListed)) return isEnd;
    if (isListed(after.lower) && !participles.test(after.lower)) return true;
  }
  const isAdjective = /ed$/.test(after.lower) || conceptOf(after.lower) === 'color';
  return isAdjective && next !== undefined && isNoun(next);
}

/** Whether the context excludes the other meaning of a noun with two. */
function isUsual(
  tokens: readonly Token[],
  { lower }: Token,
  before: Token | undefined,
  group: string,
): boolean {
  const isCounted = isPlural(lower, isListed) || /^(DET|NUM|ADJ)$/.test(before?.pos ?? '');
  if (alsoBalls.test(lower)) return !isCounted;
  // "Playing frisbee" is a game.
  if (lower === 'frisbee') return isCounted;
  // "Behind glass" and "through the glass" are a material, and "in orange" is a colour.
  if (/^(glass|orange)$/.test(lower)) return isCounted && (lower === 'orange' || before?.lower !== 'the');
  if (/^plates?$/.test(lower)) return !tokens.some((token) => ofBaseball.test(token.lower));
  if (imageNouns.test(lower) && tokens.some((token) => takingOfImages.test(token.lower))) return false;
  if (imageNouns.test(lower)) return !tokens.some((token, at) => isWithin(token, tokens[at + 2], lower));
  if (group !== 'body') return true;
  if (tokens.some((token, at) => token.lower === lower && tokens[at + 1]?.lower === 'of')) return false;
  if (tokens.some((token) => /^(clock|watch|tower|sign)/.test(token.lower))) return false;
  return !alsoOfThings.test(lower) || tokens.some(isOwner);
}

function isWithin(preposition: Token, noun: Token | undefined, lower: string): boolean {
  return /^(in|for)$/.test(preposition.lower) && noun?.lower === lower;
}

function isOwner({ lower }: Token): boolean {
  return owning.test(conceptOf(lower) ?? '') || /^(his|her|their|its|he|she|it|they|who)$/.test(lower);
}
