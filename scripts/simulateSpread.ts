/*
 * Simulates spreads from few images, and prints the table of docs/statistics.md about their errors:
 * npx tsx scripts/simulateSpread.ts [DATASETS [IMAGES,…]]
 * The score of an image and the caption of another one is a sum of an effect of each and a rest. For text encoders, the
 * score of two captions is the same in both orders. The truth is the deviation of a pair of a new image and a new caption.
 */
import { spreadOfPairs } from '../src/stats/decisions/spread';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { mean, standardDeviation } from '../src/stats/summary';

const datasets = Number(process.argv[2] ?? 10_000);
const sizes = (process.argv[3] ?? '3,4,5,7,10,15,20,30,40,45,50,60').split(',').map(Number);
const mostPairs = 500;

interface Setting {
  name: string;
  /** The shares of the variance that come from the image and the caption. */
  image: number;
  caption: number;
  ofTexts?: true;
}

const settings: readonly Setting[] = [
  { name: 'mostly the pair', image: 0.1, caption: 0.1 },
  { name: 'a third each', image: 1 / 3, caption: 1 / 3 },
  { name: 'mostly the caption', image: 0.2, caption: 0.6 },
  { name: 'two captions', image: 0.3, caption: 0.3, ofTexts: true },
];

function drawn({ image, caption, ofTexts }: Setting, images: number, draws: Draws) {
  const normal = (share: number): number => Math.sqrt(share) * normalQuantile(draws.uniform());
  const lefts = Array.from({ length: images }, () => normal(image));
  const rights = ofTexts ? lefts : Array.from({ length: images }, () => normal(caption));
  const rests = lefts.map(() => lefts.map(() => normal(1 - image - caption)));
  const pairs = [];
  for (let round = 1; round < images; round++)
    for (let i = 0; i < images && pairs.length < mostPairs; i++) {
      const k = (i + round) % images;
      const rest = ofTexts && k < i ? rests[k][i] : rests[i][k];
      pairs.push({ left: `${i}`, right: `${k}`, score: lefts[i] + rights[k] + rest });
    }
  return pairs;
}

console.log(
  '| images | variance | error of the logarithm | mean stated error | coverage of 95 % | without an error |',
);
for (const images of sizes)
  for (const setting of settings) {
    const draws = new Draws(`${images} ${setting.name}`);
    const [logs, errors]: [number[], number[]] = [[], []];
    let covered = 0;
    for (let i = 0; i < datasets; i++) {
      const found = spreadOfPairs(drawn(setting, images, draws))!;
      const log = Math.log(found.deviation);
      logs.push(log);
      if (!Number.isFinite(found.error)) continue;
      errors.push(found.error);
      if (Math.abs(log) <= 1.959964 * found.error) covered++;
    }
    const cells = [
      standardDeviation(logs),
      mean(errors),
      covered / errors.length,
      1 - errors.length / datasets,
    ];
    console.log(`| ${images} | ${setting.name} | ${cells.map((cell) => cell.toFixed(3)).join(' | ')} |`);
  }
