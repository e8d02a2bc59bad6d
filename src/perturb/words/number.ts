const irregular = new Map<string, string>(
  Object.entries({
    man: 'men',
    woman: 'women',
    child: 'children',
    person: 'people',
    foot: 'feet',
    tooth: 'teeth',
    goose: 'geese',
    mouse: 'mice',
    knife: 'knives',
    wife: 'wives',
    life: 'lives',
    leaf: 'leaves',
    loaf: 'loaves',
    shelf: 'shelves',
    half: 'halves',
    calf: 'calves',
    wolf: 'wolves',
    thief: 'thieves',
    scarf: 'scarves',
    ox: 'oxen',
    bus: 'buses',
    cactus: 'cacti',
    sheep: 'sheep',
    deer: 'deer',
    fish: 'fish',
    aircraft: 'aircraft',
    bison: 'bison',
    moose: 'moose',
    potato: 'potatoes',
    tomato: 'tomatoes',
    hero: 'heroes',
    mango: 'mangoes',
    buffalo: 'buffaloes',
    volcano: 'volcanoes',
    echo: 'echoes',
  }),
);
const back = new Map([...irregular].filter(([one, many]) => one !== many).map(([one, many]) => [many, one]));

/** Nouns that only look like plurals, or have no usual singular. */
const fixed = new Set(
  (
    'clothes scissors pants jeans shorts trousers sunglasses glasses goggles binoculars headphones pliers tongs tweezers ' +
    'pajamas leggings tights news series species tennis bus gas lens christmas canvas atlas chess grass woods surroundings ' +
    'remains outskirts headquarters means suspenders'
  ).split(' '),
);

/** The singular of a noun. Returns a regular noun unchanged if `isNoun` does not accept its singular. */
export function singular(word: string, isNoun: (word: string) => boolean): string {
  const known = back.get(word);
  if (known !== undefined) return known;
  const compound = /^(.+)(men|women|children|feet|teeth)$/.exec(word);
  if (compound !== null) return compound[1] + back.get(compound[2])!;
  if (fixed.has(word) || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
  const stems: string[] = [];
  if (word.endsWith('ies')) stems.push(`${word.slice(0, -3)}y`);
  if (/(s|x|z|ch|sh|o)es$/.test(word)) stems.push(word.slice(0, -2));
  // "Vases" is the plural of "vase", although WordNet also has "vas".
  if (/[^s]ses$/.test(word)) stems.unshift(word.slice(0, -1));
  else stems.push(word.slice(0, -1));
  return stems.find((stem) => stem.length > 1 && isNoun(stem)) ?? word;
}

export function isPlural(word: string, isNoun: (word: string) => boolean): boolean {
  return singular(word, isNoun) !== word;
}

export function plural(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (fixed.has(word)) return word;
  const compound = /^(.+)(man|woman|child|foot|tooth)$/.exec(word);
  if (compound !== null && !/human$|german$/.test(word)) return compound[1] + irregular.get(compound[2])!;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return `${word}s`;
}

/** Chooses the article by the word's first sound, which the spelling suggests: "an hour", "a European", "an MRI". */
export function articleFor(word: string): 'a' | 'an' {
  if (/^[A-Z][A-Z\d]+$/.test(word)) return /^[AEFHILMNORSX]/.test(word) ? 'an' : 'a';
  const lower = word.toLowerCase();
  if (/^(hour|honest|honou?r|heir)/.test(lower)) return 'an';
  if (/^(uni([^nm]|n[^aeiou])|use|usu|uro|uku|ura|eu|ewe|one\b|once)/.test(lower)) return 'a';
  return /^[aeiou]/.test(lower) ? 'an' : 'a';
}
