/* Measures how many planted copies of items are found: npx tsx scripts/measureSimilar.ts */
import { Random } from '../src/base/random';
import { atOnce } from '../src/base/turns/steps';
import { Corpus } from '../src/probe/benchmark/blind/corpus';
import type { Item } from '../src/probe/benchmark/items';
import { similarItems } from '../src/probe/benchmark/similar';

const originals = 5000;
const words = Array.from({ length: 3000 }, (_, i) => `w${i}`);
const draws = new Random('similar items');

function item(captions: readonly string[][]): Item {
  return {
    ...{ example: '', row: 0, observation: '', right: 0, isList: false, tags: {} },
    captions: captions.map((own) => own.join(' ')),
  };
}

/** Frequent words are drawn more often, as in captions. */
const word = (): string => words[Math.floor(words.length * draws.uniform() ** 3)];
const changed = (caption: readonly string[], at: number): string[] => caption.with(at, 'changed');

console.log('| words of a caption | changed word | copies found | others found |');
console.log('| -----------------: | :----------- | -----------: | -----------: |');
for (const length of [20, 10])
  for (const where of ['of the right caption', 'of both captions']) {
    const own = Array.from({ length: originals }, () => {
      const right = Array.from({ length }, word);
      return [right, right.with(draws.below(length), word())];
    });
    const copies = own.map(([right, wrong]) => {
      const at = draws.below(length);
      return [changed(right, at), where === 'of both captions' ? changed(wrong, at) : wrong];
    });
    const found = atOnce(similarItems(new Corpus([...own, ...copies].map(item), 42)));
    const count = (list: Uint8Array): number => list.reduce((sum, one) => sum + one, 0);
    const [copied, others] = [found.subarray(originals), found.subarray(0, originals)].map(count);
    console.log(`| ${length} | ${where} | ${(copied / originals).toFixed(4)} | ${others} |`);
  }
