/** Decides which flips of colours, numbers and objects make sense. */
import { seenTogether } from '../../words/fit';
import type { Token } from '../token';
import data from './objectKinds.json';

/** Nouns that a colour turns into a kind ("brown bear", "white noise"), or that have one colour ("snow"). */
export const ownColor =
  /^(snow|stop|traffic|taxis?|cabs?|zebras?|pandas?|bears?|cheese|stoplights?|signals?|arrows?|hair|skin|lights?|cross|power|chips?|goods|noise)$/;
export const furColors = new Set(['black', 'white', 'brown', 'gray']);
export const grown = new Set(['food', 'drink', 'body']);
const flowers = /^(flower|rose|tulip|daisy|lily|bouquet|blossom|bloom|petal)$/;
const skyColors = new Set(['blue', 'gray', 'white', 'orange', 'pink', 'red', 'purple']);
const dryColors = new Set(['brown', 'yellow']);

export const isOpen =
  /^(park|area|garden|yard|hill|hillside|slope|pasture|plain|countryside|island|lawn|court|landscape|enclosure|lot|savanna|grassland|jungle)$/;

/** Whether a flower, the sky, a meadow or another outdoor place can have the colour `to`. */
export function isOutdoorColor(from: string, to: string, head: string): boolean {
  if (flowers.test(head)) return !['black', 'brown', 'gray', 'green'].includes(to);
  if (head === 'sky' || head === 'cloud') return skyColors.has(to);
  return from === 'green' ? dryColors.has(to) : seenTogether(to, head) >= 6;
}

/** Nouns whose number is not visible, or is always the same, as with wheels. */
export const notCounted =
  /^(ways?|sides?|directions?|times?|stor(y|ies)|tiers?|levels?|points?|pieces?|hal(f|ves)|parts?|decks?|doors?|wheels?|engines?|floors?|lanes?|miles?|days?|years?|hours?|minutes?|o'clock|quarters?|thirds?|sets?|pairs?|teams?|ends?|types?|kinds?|different|others?)$/;

/** Words that count the same things again, such as "another" in "two ducks, while another sits nearby". */
export const alsoCounting =
  /^(another|others?|one|both|each|pairs?|couple|different|first|second|third|either|only|alone|single)$/;

/** Words elsewhere in the caption that show the number of things. */
export const counting =
  /^(they|their|them|themselves|it|its|he|she|his|her|him|each|other|others|another|both|together|all|one|same|different|pair|couple|matching|various|opposite|between|among|match|race|row|line|circle|heads|ends|butting|hugging|kissing|fighting|playing|talking|meeting|gathered|racing|competing|surrounding|shaking|wrestling|dancing|huddled|team|teams|group)$/;

const objectKinds = data.kinds.map((kind) => kind.split(', '));

/**
 * Whether two of COCO's objects are similar animals or have similar uses, so that a caption of one usually makes sense
 * for the other. A swap within a kind needs less evidence from captions.
 */
export function areOfOneKind(a: string, b: string): boolean {
  return objectKinds.some((kind) => kind.includes(a) && kind.includes(b));
}

const leastFit = { within: -0.2, across: 0.9 };
const alive = new Set(['dog', 'cat', 'bird', 'horse', 'person']);
/** Things to ride. After "riding", they may replace each other, although only the horse is alive. */
const ridden = new Set(['horse', 'bicycle']);

const postures =
  /^(standing|sitting|laying|lying|walking|running|sleeping|swimming|resting|sits|stands|lays|lies|walks|runs|sleeps|rests|is|are)$/;

/** Whether all activities in the caption suit both people and animals. */
function onlyPostures(tokens: readonly Token[]): boolean {
  return tokens.every(({ lower, pos }) => (pos !== 'VERB' && !lower.endsWith('ing')) || postures.test(lower));
}

/** The minimum fit with the caption that a new word needs; undefined if the new word never makes sense. */
export function fitNeeded(tokens: readonly Token[], at: number, word: string): number | undefined {
  const { lower } = tokens[at];
  if (lower === 'train' && tokens.some((token) => /^(tracks?|rails?|railroad|railway)$/.test(token.lower)))
    return undefined;
  if (word === 'train' && tokens.some((token) => /^(roads?|streets?|highway)$/.test(token.lower)))
    return undefined;
  if (areOfOneKind(lower, word)) return leastFit.within;
  const isAlive = (name: string) => alive.has(name);
  if (isAlive(lower) === isAlive(word)) {
    // After the swap, the adjective may mean something else: "a black cat" → "a black person".
    const described = tokens[at - 1]?.pos === 'ADJ';
    if (lower !== 'person' && word !== 'person') return leastFit.across;
    return (word === 'person' && described) || !onlyPostures(tokens) ? undefined : leastFit.across;
  }
  const isRidden = tokens
    .slice(Math.max(0, at - 3), at)
    .some(({ lower: verb }) => /^rid(es?|ing)$/.test(verb));
  return isRidden && ridden.has(lower) && ridden.has(word) ? leastFit.within : undefined;
}
