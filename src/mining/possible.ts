/** What a noun needs, apart from its statistics, to replace another noun: its form, and what such things can do. */
import { isNoun } from '../perturb/text/tags';
import type { Token } from '../perturb/text/token';
import { conceptOf, isListed } from '../perturb/words/concepts';
import { singular } from '../perturb/words/number';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Mass nouns, and nouns that have only a plural. Neither takes "a". */
const mass = set(`
  pasta spaghetti rice bread toast bacon beef pork ham sushi curry tofu soup stew chili salad meat fish shrimp salmon tuna lettuce broccoli
  cabbage spinach cauliflower celery corn garlic asparagus cilantro parsley basil butter cheese cream mustard ketchup mayonnaise sauce syrup
  jam jelly honey sugar salt cinnamon frosting icing chocolate vanilla caramel gravy vinegar glaze barbecue roast coffee tea milk juice
  lemonade soda cola beer wine champagne whiskey soap shampoo toothpaste tennis soccer golf hockey cricket rugby polo badminton wrestling boxing`);
/** Mass nouns that captions also count: "a soup", "two beers". */
const counted = set(`soup stew chili salad fish sauce beer coffee soda glaze roast`);
const pairsOnly = set('pants jeans shorts sunglasses glasses goggles headphones scissors');

/** What cannot have something on it, be sat on, be sat at, or have something in it. */
const cannot = {
  carry:
    set(`cup mug glass bottle vase figurine fork spoon knife chopstick spatula whisk jar goblet skate candle clock lamp curtain faucet
    ball frisbee kite racket racquet remote tire`),
  seatPeople:
    set(`shelf drawer dresser bookshelf bookcase wardrobe nightstand oven stove microwave refrigerator fridge freezer lamp vase
    clock candle curtain plate bowl tray`),
  haveSittersAt: set('stool chair armchair recliner bench sofa couch loveseat ottoman bed crib mattress'),
  contain:
    set(`sidewalk curb corner intersection bench stool table desk blanket quilt carpet rug mattress pillow curtain plate saucer platter
    tray fork knife spoon bridge crosswalk motorcycle motorbike scooter moped bicycle bike tricycle`),
  holdMeals: set('bed couch sofa armchair recliner loveseat chair bench stool crib ottoman mattress'),
};

/** Furniture of rooms, and words for what is outside of them. */
const ofRooms = set(
  'bed couch sofa armchair recliner loveseat crib ottoman mattress dresser nightstand bookcase wardrobe',
);
const outdoors =
  /^(playgrounds?|parks?|beach|streets?|roads?|fields?|outside|outdoors?|grass|grassy|yard|sidewalk|pier|ocean|snow|trees?|woods|forest)$/;

/** Sports equipment by use: to ride, to throw, to hit with, to play. */
const sportUses = [
  set('skateboard surfboard snowboard bodyboard sled wakeboard'),
  set('ball baseball football frisbee basketball volleyball'),
  set('racket racquet bat club'),
  set('tennis soccer golf hockey cricket rugby polo badminton basketball volleyball'),
];

const animals = {
  /** Animals that are seen in houses, among furniture and dishes. */
  pets: set(
    'dog puppy cat kitten rabbit hamster parrot parakeet beagle husky poodle terrier dalmatian mouse turtle lizard spider ant fly bee',
  ),
  /** Parts that only these animals have. */
  parts: [
    [/^(trunks?|tusks?)$/, set('elephant')],
    [/^manes?$/, set('horse pony lion zebra giraffe')],
    [/^stripe[sd]?$/, set('zebra tiger')],
    [/^(beaks?|wings?|feathers?)$/, set('bee butterfly dragonfly beetle')],
    [/^(humps?)$/, set('camel')],
    [/^(antlers?)$/, set('deer elk moose')],
    [/^(wool|woolly|wooly|sheared|shorn)$/, set('sheep lamb alpaca llama')],
  ] as const,
};
const indoors = /^(household|furniture|electronics|stationery)$/;
/** Animals with a pattern: "white" or "brown" alone does not describe them. */
const patterned = set('zebra giraffe panda tiger leopard dalmatian');
const onRails = set('train trolley tram');

const postures =
  /^(sit|sits|sitting|seated|lie|lies|lying|lay|lays|laying|rest|rests|resting|perched|stand|stands|standing)$/;

/** Whether both are dogs or cats. A dog can be wherever captions have cats. */
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
  const isSeat = has('on') && tokens.slice(0, at).some(({ lower }) => postures.test(lower));
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

/** Whether the other words of the caption allow the new animal or vehicle. */
function isPossibleBeside(tokens: readonly Token[], at: number, peer: string): boolean {
  const others = tokens.filter((_, i) => i !== at).map(({ lower }) => lower);
  if (ofRooms.has(peer)) return !others.some((one) => outdoors.test(one));
  if (conceptOf(peer) === 'vehicle')
    return onRails.has(peer)
      ? peer !== 'train' ||
          !others.some((one) => /^(roads?|streets?|highway|curb|sidewalk|parking|lot|driveway)$/.test(one))
      : !others.some((one) => /^(train)?(tracks?|rails?)$/.test(one));
  if (conceptOf(peer) !== 'animal') return true;
  if (!animals.pets.has(peer) && others.some((one) => indoors.test(conceptOf(one) ?? ''))) return false;
  if (patterned.has(peer) && conceptOf(tokens[at - 1]?.lower ?? '') === 'color') return false;
  return animals.parts.every(([part, owners]) => owners.has(peer) || !others.some((one) => part.test(one)));
}

/** Whether the new noun is counted as the old one is: "a bowl of soup" has no place for "noodle". */
function isSameForm(tokens: readonly Token[], at: number, word: string, peer: string): boolean {
  if (pairsOnly.has(word) !== pairsOnly.has(peer)) return false;
  const isMany = word !== tokens[at].lower;
  const first = phraseStart(tokens, at);
  const isCounted = isMany || /^(an?|one|each|every|another)$/.test(tokens[first - 1]?.lower ?? '');
  if (isCounted) return !mass.has(peer) || (counted.has(peer) && !isMany);
  // Without an article, the caption names a mass, or it is a headline: "pizza on a plate", "Cat on a chair".
  const hasArticle =
    tokens[first - 1]?.pos === 'DET' ||
    /^(his|her|their|its|my|your|our)$/.test(tokens[first - 1]?.lower ?? '');
  if (mass.has(word) || (!hasArticle && first > 0)) return mass.has(peer);
  return !mass.has(peer) || counted.has(peer);
}

/** Where the adjectives and nouns before the noun begin. Its article is before them. */
function phraseStart(tokens: readonly Token[], at: number): number {
  let first = at;
  while (first > 0 && /^(ADJ|NOUN|PROPN)$/.test(tokens[first - 1].pos)) first--;
  return first;
}

/** Nouns whose plural has no ending, and captions that leave the ending out: "two giraffe", "sheep are grazing". */
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

const invariable = set('sheep deer fish bison moose aircraft');
