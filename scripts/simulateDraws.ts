/*
 * Simulates rates of reports whose variants are drawn at random, and prints the tables of docs/statistics.md about draws:
 * npx tsx scripts/simulateDraws.ts [REPORTS]
 * The truth is the mean over all images and all draws. An image, a caption and a draw of a caption each shift the
 * probability that a variant counts as right.
 */
import { atOnce } from '../src/base/turns/steps';
import { Figure } from '../src/probe/figure';
import { Draws } from '../src/stats/draws';
import { normalCdf, normalQuantile } from '../src/stats/normal';
import { mean, standardDeviation } from '../src/stats/summary';

const reports = Number(process.argv[2] ?? 1000);
const captionsPerImage = 4;
/** The mean of the latent value. A variant is right if its latent value is positive. */
const centre = 0.4;

interface Setting {
  images: number;
  /** The shares of the latent variance that come from the image, the caption and the draw. */
  image: number;
  draw: number;
  draws: number;
}

/** The results of a report by draw: 0 or 1 for each caption, caption by caption. */
function resultsOf({ images, image, draw, draws }: Setting, random: Draws): number[][] {
  const normal = (share: number): number => Math.sqrt(share) * normalQuantile(random.uniform());
  const captions = Array.from({ length: images }, () => {
    const ofImage = normal(image);
    return Array.from({ length: captionsPerImage }, () => centre + ofImage + normal(1 - image - draw));
  }).flat();
  return Array.from({ length: draws }, () => captions.map((latent) => (latent + normal(draw) > 0 ? 1 : 0)));
}

function simulate(setting: Setting): string[] {
  const truth = normalCdf(centre);
  let covered = 0;
  const [values, widths, parts]: [number[], number[], number[]] = [[], [], []];
  for (let report = 0; report < reports; report++) {
    const random = new Draws(report, JSON.stringify(setting));
    const byDraw = resultsOf(setting, random);
    const figure = new Figure();
    for (const results of byDraw)
      for (const [at, value] of results.entries()) figure.add(value, Math.floor(at / captionsPerImage));
    const { value, ci } = atOnce(figure.metric('rate', { rate: true }));
    const [low, high] = ci!;
    if (low <= truth && truth <= high) covered++;
    values.push(value!);
    widths.push(high - low);
    if (byDraw.length > 1)
      parts.push(standardDeviation(byDraw.map((results) => mean(results))) / Math.sqrt(byDraw.length));
  }
  const root = (squares: number[]): string => Math.sqrt(mean(squares.map((one) => one * one))).toFixed(3);
  return [
    String(setting.draws),
    (covered / reports).toFixed(3),
    standardDeviation(values).toFixed(3),
    (mean(widths) / 2 / 1.96).toFixed(3),
    parts.length === 0 ? '–' : root(parts),
  ];
}

console.log(
  '| images | variance from images, from draws | draws | coverage | true error | of the interval | from draws |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const images of [20, 50, 200])
  for (const [image, draw] of [
    [0.5, 0],
    [0.3, 0.4],
    [0, 1],
  ])
    for (const draws of [1, 5]) {
      const cells = [
        String(images),
        `${image * 100} %, ${draw * 100} %`,
        ...simulate({ images, image, draw, draws }),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
