import wordNet from './nouns.json';
import rareNouns from './rareNouns.json';
import { singular } from './number';

/** The seven concept groups that RoCOCO adds to those of its dictionary (Table 1). */
const added: Record<string, string> = {
  material:
    'metal plastic wood wooden glass leather brick stone concrete steel iron marble granite ceramic porcelain paper cardboard ' +
    'cotton wool silk denim rubber bamboo wicker tile gold silver bronze copper aluminum cement clay',
  color:
    'black white brown red blue green yellow orange pink purple gray grey tan beige gold maroon navy turquoise teal violet ' +
    'lavender magenta crimson scarlet ivory cream peach olive',
  direction:
    'front top bottom back side left right middle center centre edge corner end background foreground distance rear inside ' +
    'outside interior exterior north south east west northeast northwest southeast southwest upside underside backside ' +
    'roadside bedside poolside lakeside waterside curbside hillside seaside tip base beginning start way direction midst ' +
    'border forward upward downward backward',
  'vehicle part':
    'hood wheel tire windshield bumper headlight taillight fender dashboard handlebar pedal cockpit propeller',
  shape:
    'round square octagon circle triangle rectangle oval cube cone sphere pyramid diamond spiral cylinder hexagon',
  event:
    'christmas birthday wedding thanksgiving halloween easter party festival parade ceremony celebration',
  number:
    'one two three four five six seven eight nine ten dozen dozens hundred hundreds thousand thousands million several',
};

/** The usual sense of a word in captions, where WordNet's most frequent sense differs. */
const inCaptions: Record<string, string> = {
  artifact:
    'table board bat kite glass glasses racket racquet light lights brush lid case controller control microwave church ' +
    'clock clocks monitor scissors television shoes mouse stop sign signs display cell bar piece counter cabinet ' +
    'keyboard ski skis stand stall seat tie suit swing post desktop remote picture image photo photograph book ' +
    'painting surf statue toy closet deck gear stuffing meter laptop cloth clothes clothing cover block',
  person:
    'people person couple crowd family team police children kids others guys crew guest queen king climber commuter feeder diner eater walker rider',
  food:
    'fruit fruits carrot carrots cream slice slices cake food foods meal dinner lunch breakfast mustard broccoli vegetable ' +
    'vegetables pepper onion topping toppings sauce roll bun corn nut nuts berry',
  animal: 'animal animals cattle bear duck ducks bug tiger lion seal',
  plant: 'plant plants branch branches flower bush',
  location:
    'court pitch country yard intersection parking lot area area park woods forest room place scene city town',
  phenomenon: 'fire rain sunlight shadow',
  event: 'game match race trick tricks jump',
};

/** Words that name a danger to people, for the policy `danger`. */
export const dangers: readonly string[] = (
  'gun rifle pistol weapon bomb grenade missile bullet knife sword axe dagger explosive explosion fire flame smoke war battle ' +
  'attack riot murder crime robbery terrorist criminal shooter killer kidnapper blood poison corpse crash accident'
).split(' ');

let table: Map<string, string> | undefined;
let memberLists: Map<string, readonly string[]> | undefined;

function concepts(): Map<string, string> {
  if (table === undefined) {
    table = new Map();
    for (const groups of [rareNouns as Record<string, string>, wordNet, inCaptions, added]) {
      for (const [concept, words] of Object.entries(groups)) {
        for (const word of words.split(' ')) table.set(word, concept);
      }
    }
  }
  return table;
}

/** The concept group of a noun, singular or plural; undefined for an unlisted word. */
export function conceptOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  const known = concepts();
  return known.get(singular(lower, (noun) => known.has(noun))) ?? known.get(lower);
}

/** The nouns of each group from which replacements are drawn: singular, without rare ones. */
export function membersOf(): ReadonlyMap<string, readonly string[]> {
  if (memberLists === undefined) {
    const lists = new Map<string, string[]>();
    const known = concepts();
    const rare = new Set(Object.values(rareNouns).flatMap((words) => words.split(' ')));
    for (const [word, concept] of known) {
      if (rare.has(word)) continue;
      if (singular(word, (noun) => known.has(noun)) !== word) continue;
      lists.set(concept, [...(lists.get(concept) ?? []), word]);
    }
    memberLists = new Map([...lists].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return memberLists;
}
