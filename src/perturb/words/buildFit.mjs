/**
 * Makes fit.json: how often content words are near each other in COCO captions. Run by hand when the source changes:
 *   npx tsx src/perturb/words/buildFit.mjs coco_karpathy_test.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contentOf } from './fit.ts';

const [source] = process.argv.slice(2);
const leastWord = 4;
const leastPair = 2;

const entries = JSON.parse(readFileSync(source, 'utf8'));
const texts = entries.flatMap(({ caption }) => caption.map((text) => contentOf(text)));
const words = new Map();
for (const text of texts) for (const { word } of text) words.set(word, (words.get(word) ?? 0) + 1);
const kept = new Set([...words].filter(([, count]) => count >= leastWord).map(([word]) => word));
const pairs = new Map();
for (const text of texts)
  for (const [at, { word }] of text.entries())
    for (const { word: next } of text.slice(at + 1, at + 4)) {
      if (!kept.has(word) || !kept.has(next) || word === next) continue;
      const after = pairs.get(word) ?? new Map();
      after.set(next, (after.get(next) ?? 0) + 1);
      pairs.set(word, after);
    }
const sorted = [...kept].sort();
const places = new Map(sorted.map((word, at) => [word, at]));
const fit = {
  words: sorted.join(' '),
  counts: sorted.map((word) => words.get(word)).join(' '),
  /** For each word, the words that follow it, as index:count. */
  after: sorted
    .map((word) =>
      [...(pairs.get(word) ?? [])]
        .filter(([, count]) => count >= leastPair)
        .map(([next, count]) => `${places.get(next)}:${count}`)
        .join(' '),
    )
    .join(','),
};
writeFileSync(new URL('fit.json', import.meta.url), `${JSON.stringify(fit, null, 2)}\n`);
console.log(sorted.length, 'words', fit.after.split(/[ ,]/).length, 'pairs');
