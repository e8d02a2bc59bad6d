/* Simulates runs that repeat the test after every image, and prints a table for docs/statistics.md. */
import { anytimeMean } from '../src/stats/decisions/anytime';
import { clusteredMeanTest } from '../src/stats/decisions/clusterTest';
import { Draws } from '../src/stats/draws';
import { isDefined } from '../src/stats/outcome';

const runs = Number(process.argv[2] ?? 2000);
const images = 2000;
const draws = new Draws('anytime', 1);

interface Source {
  name: string;
  /** Draws the difference of one image. */
  value: () => number;
  truth: number;
}

function discordant(share: number, lead: number): () => number {
  return () => {
    const u = draws.uniform();
    return u < (share + lead) / 2 ? 1 : u < share ? -1 : 0;
  };
}

/** Returns a function that draws the mean difference of an image with five correlated captions. */
function fiveCaptions(lead: number): () => number {
  return () => {
    const turn = draws.uniform() < 0.5 + lead ? 1 : -1;
    let sum = 0;
    for (let i = 0; i < 5; i++) sum += draws.uniform() < 0.3 ? turn : 0;
    return sum / 5;
  };
}

const sources: readonly Source[] = [
  { name: 'right or wrong, 60 % discordant', value: discordant(0.6, 0), truth: 0 },
  { name: 'right or wrong, 20 % discordant', value: discordant(0.2, 0), truth: 0 },
  { name: 'right or wrong, 5 % discordant', value: discordant(0.05, 0), truth: 0 },
  { name: '5 captions per image, shared', value: fiveCaptions(0), truth: 0 },
  { name: '20 % discordant, 5 points better', value: discordant(0.2, 0.05), truth: 0.05 },
  { name: '20 % discordant, 10 points better', value: discordant(0.2, 0.1), truth: 0.1 },
];

/** The sample sizes at which the ordinary test is repeated, in ascending order. */
const looks = Array.from({ length: (images - 20) / 20 + 1 }, (_, i) => 20 + 20 * i);

function simulate({ value, truth }: Source): string[] {
  let [found, covered, ordinary] = [0, 0, 0];
  const atImages: number[] = [];
  for (let run = 0; run < runs; run++) {
    const values = Float64Array.from({ length: images }, value);
    const test = anytimeMean(values, { low: -1, high: 1 });
    if (!isDefined(test)) continue;
    if (test.low <= truth && test.high >= truth) covered++;
    if (test.pValue < 0.05) {
      found++;
      atImages.push(decidedAt(values));
    }
    if (run % 10 === 0 && looks.some((n) => rejects(values.subarray(0, n)))) ordinary++;
  }
  atImages.sort((a, b) => a - b);
  const median = found > runs / 2 ? String(atImages[Math.floor(runs / 2)] ?? '–') : '–';
  return [
    (found / runs).toFixed(3),
    (covered / runs).toFixed(3),
    (ordinary / Math.ceil(runs / 10)).toFixed(3),
    median,
  ];
}

function rejects(values: Float64Array): boolean {
  const test = clusteredMeanTest(values, Array.from(values.keys()));
  return isDefined(test) && test.pValue < 0.05;
}

/**
 * The smallest sample size at which the test is significant. The test is then significant at every larger size, too,
 * so bisection works.
 */
function decidedAt(values: Float64Array): number {
  let [low, high] = [0, values.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const test = anytimeMean(values.subarray(0, middle), { low: -1, high: 1 });
    if (isDefined(test) && test.pValue < 0.05) high = middle;
    else low = middle;
  }
  return high;
}

const heads = [
  'outcome',
  `rejects within ${images} images`,
  'coverage at every look',
  'ordinary test, a look every 20 images',
  'median images until it rejects',
];
for (const row of [
  heads,
  heads.map((_, i) => (i === 0 ? '---' : '---:')),
  ...sources.map((source) => [source.name, ...simulate(source)]),
])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
