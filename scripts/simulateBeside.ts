/* Simulates what reports say of evaluators beside models without the image; prints a table for docs/statistics.md. */
import { Random } from '../src/base/random';
import { isSaid } from '../src/base/say';
import { atOnce } from '../src/base/turns/steps';
import type { Metric } from '../src/probe/metric';
import { sugarcrepe } from '../src/probe/sugarcrepe/sugarcrepe';

const runs = Number(process.argv[2] ?? 400);
const words = Array.from({ length: 60 }, (_, i) => `w${i}`);

/** How often the evaluator is right, or which caption it prefers. */
type Evaluator = { share: number } | 'shorter' | 'longer';

interface Made {
  image: string;
  caption: string;
  negative: string;
  /** Below the share in which an evaluator is right. Half of the items of an image have the same. */
  draw: number;
}

/** Right captions are shorter in this share. Each side has another number of words, so that nothing ties by length. */
function made(run: number, images: number, perImage: number, shorter: number): Made[] {
  return Array.from({ length: images * perImage }, (_, i) => {
    const draws = new Random('beside', run, i);
    const image = String(Math.floor(i / perImage));
    const text = (length: number): string =>
      Array.from({ length }, () => words[Math.floor(60 * draws.uniform() ** 2)]).join(' ');
    const [short, long] = [text(5), text(7)];
    const [caption, negative] = draws.uniform() < shorter ? [short, long] : [long, short];
    const own = draws.below(2) === 0 ? draws : new Random('beside', run, 'image', image);
    return { image, caption, negative, draw: own.uniform() };
  });
}

function reported(items: readonly Made[], evaluator: Evaluator): { metrics: Metric[]; codes: string[] } {
  const summary = sugarcrepe.summary({ dataset: 'x', seed: 42, options: {}, scores: ['image-text'] });
  for (const [row, { image, caption, negative, draw }] of items.entries()) {
    const isShorter = caption.split(' ').length < negative.split(' ').length;
    const right =
      typeof evaluator === 'object' ? draw < evaluator.share : isShorter === (evaluator === 'shorter');
    const withImage = { caption: right ? 1 : 0, negative: 0.5, right, tie: false };
    summary.add({ example: String(row), row, image, caption, negative, i2t: withImage });
  }
  const { metrics } = atOnce(summary.finish());
  const codes = sugarcrepe.claims(metrics).flatMap(({ text }) => (isSaid(text) ? [text.code] : []));
  return { metrics, codes };
}

console.log(
  '| images | items of an image | shorter is right | evaluator | baseline named | mean beyondBlind | its interval above, below chance | "right more often" | "right less often" |',
);
console.log(
  '| -----: | ----------------: | ---------------: | --------- | -------------: | ---------------: | -------------------------------: | -----------------: | -----------------: |',
);
for (const [images, perImage, shorter] of [
  [60, 1, 0.7],
  [60, 4, 0.7],
  [300, 1, 0.6],
  [300, 1, 0.8],
])
  for (const [name, evaluator] of [
    ['random', { share: 0.5 }],
    ['as good as the baseline', { share: shorter }],
    ['10 points better', { share: shorter + 0.1 }],
    ['prefers shorter captions', 'shorter'],
    ['prefers longer captions', 'longer'],
  ] as const) {
    let [named, above, below, more, less, sum, n] = [0, 0, 0, 0, 0, 0, 0];
    for (let run = 0; run < runs; run++) {
      const { metrics, codes } = reported(made(run, images, perImage, shorter), evaluator);
      const beyond = metrics.find(({ id }) => id === 'sugarcrepe.x.beyondBlind');
      if (codes.includes('benchmark.beyondBlindClaim')) more++;
      if (codes.includes('benchmark.belowBlindClaim')) less++;
      if (typeof beyond?.value !== 'number') continue;
      named++;
      sum += beyond.value;
      n++;
      if (beyond.ci !== undefined && beyond.ci[0] > 0.5) above++;
      if (beyond.ci !== undefined && beyond.ci[1] < 0.5) below++;
    }
    const share = (count: number): string => (count / runs).toFixed(3);
    const cells = [images, perImage, shorter, name, share(named), (sum / n).toFixed(3)];
    console.log(
      `| ${[...cells, `${share(above)}, ${share(below)}`, share(more), share(less)].join(' | ')} |`,
    );
  }
