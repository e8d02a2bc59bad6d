/*
 * Type-I errors of verdicts on a single share: how often a verdict calls it higher or lower than the true value,
 * and how often a BCa interval over images excludes this value.
 * npx tsx scripts/simulateShares.ts [DATASETS] [DATASETS OF BCA]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { shareTestOf } from '../src/probe/claimFamily';
import { Figure } from '../src/probe/figure';

const datasets = Number(process.argv[2] ?? 10_000);
const bootstrapped = Number(process.argv[3] ?? 1000);

interface Design {
  name: string;
  rows: (image: number) => number;
  /** How often a row repeats the result of the image's first row. */
  shared: number;
}

const designs: Design[] = [
  { name: 'one result per image', rows: () => 1, shared: 0 },
  { name: '5 results per image, half of them alike', rows: () => 5, shared: 0.5 },
  {
    name: '1 to 7 results per image, half of them alike',
    rows: (image) => 1 + ((image * 3) % 7),
    shared: 0.5,
  },
];

function figureOf(random: Random, images: number, share: number, { rows, shared }: Design): Figure {
  const figure = new Figure();
  for (let image = 0; image < images; image++) {
    const first = random.uniform() < share ? 1 : 0;
    figure.add(first, image);
    for (let row = 1; row < rows(image); row++)
      figure.add(random.uniform() < shared ? first : random.uniform() < share ? 1 : 0, image);
  }
  return figure;
}

/** What a verdict says of the share, compared with the true one. */
function verdictOf(figure: Figure, share: number): 'higher' | 'lower' | 'open' {
  const metric = atOnce(figure.metric('share', { share: true }));
  const test = shareTestOf([metric], 'share', share);
  if (test === undefined || test.pValue >= 0.05) return 'open';
  return metric.value! > share ? 'higher' : 'lower';
}

function excludes(figure: Figure, share: number): boolean {
  const { ci } = atOnce(figure.metric('share', { share: true, interval: 'bca' }));
  return ci !== undefined && (share < ci[0] || share > ci[1]);
}

console.log('| results | images | true share | Type I | called higher | called lower | Type I of BCa |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const design of designs)
  for (const share of [0.5, 1 / 4, 1 / 6, 0.05])
    for (const images of [20, 50, 200]) {
      const counts = { higher: 0, lower: 0, bca: 0 };
      for (let i = 0; i < datasets; i++) {
        const figure = figureOf(new Random(3, design.name, images, share, i), images, share, design);
        const said = verdictOf(figure, share);
        if (said !== 'open') counts[said]++;
        if (i < bootstrapped && excludes(figure, share)) counts.bca++;
      }
      const rates = [counts.higher + counts.lower, counts.higher, counts.lower].map(
        (count) => count / datasets,
      );
      const shown = [...rates, counts.bca / bootstrapped].map((rate) => rate.toFixed(3)).join(' | ');
      console.log(`| ${design.name} | ${images} | ${share.toFixed(2)} | ${shown} |`);
    }
