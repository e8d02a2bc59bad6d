/**
 * Makes slots.json: the nouns after and before each word in COCO captions. Run by hand when the source changes:
 *   npx tsx src/perturb/words/buildSlots.mjs coco_karpathy_test.json
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const target = new URL('slots.json', import.meta.url);
if (!existsSync(target)) writeFileSync(target, '{"words": "", "slots": {}, "together": {}, "never": {}}\n');
const { contentOf, fitWords } = await import('./fit.ts');
const { slotsOf } = await import('./slots.ts');
const { tag } = await import('../text/tagger.ts');
const { isNoun } = await import('../text/tags.ts');
const { isListed, membersOf, peersOf } = await import('./concepts.ts');
const { singular } = await import('./number.ts');

const [source] = process.argv.slice(2);
const leastPair = 2;
/** Nouns with at least this many occurrences are included, even if they are never replacements. */
const leastCommon = 100;
const leastShare = 0.02;
/**
 * A word is typical of a noun if the captions of at least this many images contain both, and the lift is at least
 * this high. The lift is the number of these images divided by the number expected by chance.
 */
const typical = { lift: 3, images: 3 };
/** A noun with a lower lift does not fit a word that is typical of another noun of the same kind. */
const leastLift = 0.4;
/** The limit for other words. It applies only if chance predicts at least two images with both word and noun. */
const leastLiftOfOthers = 0.15;

/** Groups whose nouns are not replaced in negatives. */
const notDrawn =
  /^(person|vehicle part|clothing|body|nature|tool|stationery|art|event|time|material|color|direction|shape|number|quantity|action|brand|country)$/;

const entries = JSON.parse(readFileSync(source, 'utf8'));
const counts = new Map();
for (const text of entries.flatMap(({ caption }) => caption))
  for (const token of tag(text.trim()) ?? []) {
    const word = singular(token.lower, isListed);
    if (isNoun(token)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
const common = [...counts].filter(([, count]) => count >= leastCommon).map(([word]) => word);
const isDrawn = new Set(
  [...membersOf()].filter(([group]) => !notDrawn.test(group)).flatMap(([, list]) => list),
);
const words = [...new Set([...[...membersOf().values()].flat(), ...common])].sort();
const places = new Map(words.map((word, at) => [word, at]));
const slots = new Map();
const images = new Map();
const shared = new Map();
for (const { caption } of entries) {
  const seen = new Set(caption.flatMap((text) => contentOf(text)).map(({ word }) => word));
  for (const text of caption) {
    const tokens = tag(text.trim()) ?? [];
    for (const [at, token] of tokens.entries()) {
      if (!isNoun(token)) continue;
      const word = singular(token.lower, isListed);
      // The first noun of a compound does not fill the slot.
      if (tokens[at + 1] !== undefined && isNoun(tokens[at + 1])) continue;
      let from = at;
      while (from > 0 && isNoun(tokens[from - 1])) from--;
      const phrase = [...tokens.slice(0, from), ...tokens.slice(at)];
      for (const key of new Set(
        slotsOf(phrase, from).flatMap(({ exact, general }) => [exact, general ?? exact]),
      )) {
        const entry = slots.get(key) ?? { total: 0, of: new Map() };
        entry.total++;
        // In a compound such as "teddy bear", the last noun alone may mean something else.
        const place = from === at ? places.get(word) : undefined;
        if (place !== undefined) entry.of.set(place, (entry.of.get(place) ?? 0) + 1);
        slots.set(key, entry);
      }
    }
  }
  for (const word of seen) {
    images.set(word, (images.get(word) ?? 0) + 1);
    if (!places.has(word)) continue;
    for (const other of seen)
      if (other !== word) shared.set(`${word} ${other}`, (shared.get(`${word} ${other}`) ?? 0) + 1);
  }
}

const kept = [...slots]
  .map(([key, { total, of }]) => [
    key,
    [total, ...[...of].filter(([, n]) => n >= leastPair).map((pair) => pair.join(':'))],
  ])
  .filter(([, list]) => list.length > 1 || list[0] >= 40)
  .map(([key, list]) => [key, list.join(' ')])
  .sort(([a], [b]) => (a < b ? -1 : 1));
const contexts = fitWords();
const together = {};
const never = {};
for (const word of words) {
  const all = images.get(word) ?? 0;
  const often = peersOf(word)
    .filter((peer) => peer !== word && (shared.get(`${word} ${peer}`) ?? 0) >= Math.max(1, leastShare * all))
    .map((peer) => `${places.get(peer)}:${Math.round((100 * shared.get(`${word} ${peer}`)) / all)}`);
  if (often.length > 0) together[word] = often.join(' ');
  if (!isDrawn.has(word) || all === 0) continue;
  const apart = contexts.flatMap((other, at) => {
    if (other === word) return [];
    const expected = (all * (images.get(other) ?? 0)) / entries.length;
    const lift = (shared.get(`${word} ${other}`) ?? 0) / expected;
    const isTypical = lift < leastLift && peersOf(word).some((peer) => isTypicalOf(peer, other));
    return isTypical || (expected >= 2 && lift < leastLiftOfOthers) ? [at] : [];
  });
  // The values are differences between successive indices of `fitWords`.
  if (apart.length > 0) never[word] = apart.map((at, i) => at - (i === 0 ? 0 : apart[i - 1])).join(' ');
}

function isTypicalOf(noun, other) {
  const both = shared.get(`${noun} ${other}`) ?? 0;
  const expected = ((images.get(noun) ?? 0) * (images.get(other) ?? 0)) / entries.length;
  return noun !== other && both >= typical.images && both >= typical.lift * expected;
}
writeFileSync(
  target,
  `${JSON.stringify({ words: words.join(' '), slots: Object.fromEntries(kept), together, never })}\n`,
);
console.log(kept.length, 'slots', Object.keys(together).length, 'words with others');
