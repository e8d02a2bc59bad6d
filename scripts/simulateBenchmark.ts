/* Simulates how often blind baselines are called better than chance on benchmarks whose labels are random. */
import { Random } from '../src/base/random';
import { atOnce } from '../src/base/turns/steps';
import { checkItems } from '../src/probe/benchmark/benchmark';
import { testedBaselines } from '../src/probe/benchmark/blind/verdict';
import type { Item } from '../src/probe/benchmark/items';

const runs = Number(process.argv[2] ?? 400);
const words = Array.from({ length: 60 }, (_, i) => `w${i}`);

/** Items with several captions, of which a random one is right. Images may have several items with shared captions. */
function itemsOf(run: number, images: number, perImage: number, options: number): Item[] {
  return Array.from({ length: images * perImage }, (_, i) => {
    const draws = new Random('benchmark simulation', run, i);
    const image = String(Math.floor(i / perImage));
    const shared = new Random('benchmark simulation', run, image);
    const text = (by: Random): string =>
      Array.from({ length: 5 + by.below(6) }, () => words[Math.floor(60 * by.uniform() ** 2)]).join(' ');
    const right = text(shared);
    const captions = draws.shuffle([right, ...Array.from({ length: options - 1 }, () => text(draws))]);
    return {
      ...{ example: String(i), row: i, image, observation: image, isList: true, tags: {} },
      ...{ captions, right: captions.indexOf(right) },
    };
  });
}

console.log(
  '| images | items of an image | captions | any verdict above chance | any unadjusted p below .05 |',
);
console.log(
  '| -----: | ----------------: | -------: | -----------------------: | -------------------------: |',
);
for (const [images, perImage, options] of [
  [20, 1, 2],
  [60, 1, 2],
  [60, 4, 2],
  [60, 1, 4],
  [300, 1, 2],
]) {
  let [wrong, unadjusted] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const tested = testedBaselines(atOnce(checkItems(itemsOf(run, images, perImage, options), run)).metrics);
    if (tested.some(({ isAbove }) => isAbove)) wrong++;
    if (tested.some(({ pValue, metric, chance }) => pValue < 0.05 && metric.value! > chance)) unadjusted++;
  }
  const cells = [images, perImage, options, (wrong / runs).toFixed(3), (unadjusted / runs).toFixed(3)];
  console.log(`| ${cells.join(' | ')} |`);
}
