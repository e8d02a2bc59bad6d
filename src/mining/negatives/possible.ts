/** Decides whether a noun can replace another noun in a caption. */
import { isNoun } from '../../perturb/text/tags';
import type { Token } from '../../perturb/text/token';
import { conceptOf, isListed } from '../../perturb/words/concepts';
import { singular } from '../../perturb/words/number';
import things from './things.json';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Mass nouns, such as "rice" and "tennis". */
const mass = set(things.mass);
/** Mass nouns that can follow "a", as in "a soup". */
const counted = set(things.counted);
const pairsOnly = set(things.pairsOnly);

/** Things that cannot carry things, seat people, have people sitting at them, contain things, or hold a meal. */
const cannot = {
  carry: set(things.cannot.carry),
  seatPeople: set(things.cannot.seatPeople),
  haveSittersAt: set(things.cannot.haveSittersAt),
  contain: set(things.cannot.contain),
  holdMeals: set(things.cannot.holdMeals),
};

/** Nouns for furniture (`ofRooms`), and words that show an outdoor scene. */
const ofRooms = set(things.ofRooms);
const outdoors = set(things.outdoors);

/** Sports words by use: things to ride, things to throw, things to hit with, and games. */
const sportUses = things.sportUses.map(set);

/** Animals that may be inside a house. */
const pets = set(things.pets);
/** Words for parts and coats of animals. In a caption with these words, only `owners` can replace another animal. */
const bodyParts = things.parts.map(({ parts, owners }) => ({ parts: set(parts), owners: set(owners) }));
const indoors = /^(household|furniture|electronics|stationery)$/;
/** Animals with a patterned coat, which a single colour does not describe. */
const patterned = set(things.patterned);
const onRails = set(things.onRails);
const postures = set(things.postures);

/** Whether both words name dogs or cats, which appear in the same scenes. */
export function arePets(word: string, peer: string): boolean {
  return [word, peer].every((one) => /^(dog|puppy|cat|kitten)$/.test(one));
}

/** Whether the phrase around a noun allows another noun in its place. */
export function isPossible(tokens: readonly Token[], at: number, peer: string): boolean {
  const word = singular(tokens[at].lower, isListed);
  const before = tokens.slice(Math.max(0, at - 3), at).map(({ lower }) => lower);
  const after = tokens.slice(at + 1).map(({ lower }) => lower);
  const has = (preposition: string): boolean => before.includes(preposition);
  const carries = has('on') || (after.includes('on') && after.includes('it'));
  if (carries && cannot.carry.has(peer)) return false;
  const isSeat = has('on') && tokens.slice(0, at).some(({ lower }) => postures.has(lower));
  if (isSeat && cannot.seatPeople.has(peer) && tokens.some(({ lower }) => conceptOf(lower) === 'person'))
    return false;
  if (has('at') && cannot.haveSittersAt.has(peer)) return false;
  if (before.some((near) => /^(in|inside|into|onto|aboard)$/.test(near)) && cannot.contain.has(peer))
    return false;
  const isMeal = tokens.some(({ lower }, i) => i !== at && /^(food|drink)$/.test(conceptOf(lower) ?? ''));
  if (isMeal && cannot.holdMeals.has(peer)) return false;
  if (conceptOf(peer) === 'sport' && !sportUses.some((uses) => uses.has(word) && uses.has(peer)))
    return false;
  return isPossibleBeside(tokens, at, peer) && isSameForm(tokens, at, word, peer);
}

/** Whether the other words of the caption allow the new noun. */
function isPossibleBeside(tokens: readonly Token[], at: number, peer: string): boolean {
  const others = tokens.filter((_, i) => i !== at).map(({ lower }) => lower);
  if (ofRooms.has(peer)) return !others.some((one) => outdoors.has(one));
  if (conceptOf(peer) === 'vehicle')
    return onRails.has(peer)
      ? peer !== 'train' ||
          !others.some((one) => /^(roads?|streets?|highway|curb|sidewalk|parking|lot|driveway)$/.test(one))
      : !others.some((one) => /^(train)?(tracks?|rails?)$/.test(one));
  if (conceptOf(peer) !== 'animal') return true;
  if (!pets.has(peer) && others.some((one) => indoors.test(conceptOf(one) ?? ''))) return false;
  if (patterned.has(peer) && conceptOf(tokens[at - 1]?.lower ?? '') === 'color') return false;
  return bodyParts.every(({ parts, owners }) => owners.has(peer) || !others.some((one) => parts.has(one)));
}

/** Whether both nouns agree in number and countability. "A bowl of soup" does not allow "noodle". */
function isSameForm(tokens: readonly Token[], at: number, word: string, peer: string): boolean {
  if (pairsOnly.has(word) !== pairsOnly.has(peer)) return false;
  const isMany = word !== tokens[at].lower;
  const first = phraseStart(tokens, at);
  const isCounted = isMany || /^(an?|one|each|every|another)$/.test(tokens[first - 1]?.lower ?? '');
  if (isCounted) return !mass.has(peer) || (counted.has(peer) && !isMany);
  // A noun without an article is a mass noun ("pizza on a plate"), unless it begins a headline ("Cat on a chair").
  const hasArticle =
    tokens[first - 1]?.pos === 'DET' ||
    /^(his|her|their|its|my|your|our)$/.test(tokens[first - 1]?.lower ?? '');
  if (mass.has(word) || (!hasArticle && first > 0)) return mass.has(peer);
  return !mass.has(peer) || counted.has(peer);
}

/** The index of the first adjective or noun of the phrase that ends at `at`. */
function phraseStart(tokens: readonly Token[], at: number): number {
  let first = at;
  while (first > 0 && /^(ADJ|NOUN|PROPN)$/.test(tokens[first - 1].pos)) first--;
  return first;
}

/** Whether the noun is a plural without an ending, either correct ("sheep are grazing") or not ("two giraffe"). */
export function isUnmarkedPlural(tokens: readonly Token[], at: number): boolean {
  if (singular(tokens[at].lower, isListed) !== tokens[at].lower) return false;
  const before = tokens[phraseStart(tokens, at) - 1]?.lower ?? '';
  if (/^(an?|one|each|every|another|this|that)$/.test(before)) return false;
  if (
    /^(two|three|four|five|six|seven|eight|nine|ten|several|many|some|few|both|these|those|of)$/.test(before)
  )
    return conceptOf(tokens[at].lower) !== 'food' && conceptOf(tokens[at].lower) !== 'drink';
  const next = tokens.slice(at + 1).find((token) => !isNoun(token));
  return (
    /^(are|were|have|graze|stand|walk|sit|eat|lie|lay|run)$/.test(next?.lower ?? '') ||
    invariable.has(tokens[at].lower)
  );
}

const invariable = set(things.invariable);
