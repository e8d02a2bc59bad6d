/**
 * Measures error rates of paired tests and coverage of intervals on simulated ratings, for docs/statistics.md:
 * tsx scripts/simulateAgreement.ts [--data-sets N] [--only NAME].
 */
import { english } from '../src/base/english';
import { parseArgs } from 'node:util';
import { atOnce } from '../src/base/turns/steps';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { isDefined } from '../src/stats/outcome';
import { type Measure, association } from '../src/stats/agreement/association';
import { associationDifference, associationInterval } from '../src/stats/agreement/paired';
import { predictionPoweredMean } from '../src/stats/agreement/ppi';
import { numberClusters, type Clustering } from '../src/stats/clustering';

/** Simulated human ratings and scores of two metrics for the same captions, with each caption's image. */
interface Ratings {
  people: Float64Array;
  first: Float64Array;
  second: Float64Array;
  clusters: Clustering;
}

interface Setting {
  name: string;
  perImage: number;
  /** The correlation between the qualities of two captions of the same image. */
  common: number;
  /** The steps of the rating scale; 0 if continuous. */
  steps: number;
  /** The number of distinct scores of each metric; 0 if continuous. */
  scoreSteps: number;
}

const settings: readonly Setting[] = [
  { name: 'continuous', perImage: 1, common: 0, steps: 0, scoreSteps: 0 },
  { name: 'ratings from 1 to 4', perImage: 1, common: 0, steps: 4, scoreSteps: 0 },
  { name: 'ratings from 1 to 4, scores from 0 to 10', perImage: 1, common: 0, steps: 4, scoreSteps: 11 },
  { name: 'ratings from 1 to 4, 5 captions per image', perImage: 5, common: 0.5, steps: 4, scoreSteps: 0 },
];
const sizes = [50, 200, 1000];
const measures: readonly Measure[] = ['tauB', 'tauC', 'spearman', 'pearson'];
/** The share of a metric's variance that comes from the captions' quality. */
const signal = 0.6;
const { values } = parseArgs({ options: { 'data-sets': { type: 'string' }, only: { type: 'string' } } });
const rounds = Number(values['data-sets'] ?? 4000);
/** The number of random sign changes per test. Captious draws more, which does not change the error rate. */
const signs = 999;
/** The number of simulated captions in the population. */
const population = 1e6;

function normal(draws: Draws): number {
  return normalQuantile(draws.uniform());
}

/** Turns a normally distributed value into one of `steps` equally likely levels. 0 steps leave it unchanged. */
function step(value: number, steps: number): number {
  if (steps === 0) return value;
  for (let k = 1; k < steps; k++) if (value < normalQuantile(k / steps)) return k;
  return steps;
}

/**
 * Simulates ratings and scores of each image's captions. Both metrics measure quality equally well, with noise per
 * caption and per image.
 */
function ratingsOf({ perImage, common, steps, scoreSteps }: Setting, images: number, draws: Draws): Ratings {
  const n = images * perImage;
  const out = {
    people: new Float64Array(n),
    first: new Float64Array(n),
    second: new Float64Array(n),
    clusters: numberClusters(Float64Array.from({ length: n }, (_, i) => Math.floor(i / perImage))),
  };
  const within = Math.sqrt(1 - common);
  for (let image = 0; image < images; image++) {
    const [q, a, b] = [0, 1, 2].map(() => Math.sqrt(common) * normal(draws));
    for (let c = 0; c < perImage; c++) {
      const i = image * perImage + c;
      const quality = q + within * normal(draws);
      out.people[i] = step(quality, steps);
      out.first[i] = scored(quality, a + within * normal(draws), scoreSteps);
      out.second[i] = scored(quality, b + within * normal(draws), scoreSteps);
    }
  }
  return out;
}

function scored(quality: number, noise: number, steps: number): number {
  return step(Math.sqrt(signal) * quality + Math.sqrt(1 - signal) * noise, steps);
}

/** The measure's population value, from one very large sample. */
function truthOf(measure: Measure, setting: Setting): number {
  const { people, first } = ratingsOf(
    setting,
    population / setting.perImage,
    new Draws('truth', setting.name),
  );
  const whole = association(measure, people, first);
  if (!isDefined(whole)) throw new Error(english(whole.reason));
  return whole.value;
}

interface Tally {
  covered: number;
  differenceCovered: number;
  rejected: number;
  n: number;
}

function simulate(
  setting: Setting,
  truths: ReadonlyMap<Measure, number>,
  images: number,
): Map<Measure, Tally> {
  const tallies = new Map(
    measures.map((measure): [Measure, Tally] => [
      measure,
      { covered: 0, differenceCovered: 0, rejected: 0, n: 0 },
    ]),
  );
  for (let round = 0; round < rounds; round++) {
    const { people, first, second, clusters } = ratingsOf(
      setting,
      images,
      new Draws(setting.name, images, round),
    );
    for (const [measure, tally] of tallies) {
      const [a, b] = [first, second].map((scores) => association(measure, people, scores, clusters));
      if (!isDefined(a) || !isDefined(b)) continue;
      const interval = associationInterval(a);
      const difference = atOnce(associationDifference(a, b, { seed: round, rounds: signs }));
      if (!isDefined(interval) || !isDefined(difference)) continue;
      const truth = truths.get(measure)!;
      tally.n++;
      if (interval.low <= truth && truth <= interval.high) tally.covered++;
      if (difference.low <= 0 && 0 <= difference.high) tally.differenceCovered++;
      if (difference.pValue <= 0.05) tally.rejected++;
    }
  }
  return tallies;
}

/** Simulates n captions with labels and scores, and 5,000 captions with scores only. */
function simulatePpi(n: number): { covered: number; narrower: number } {
  const all = 2 * rounds;
  let covered = 0;
  let narrower = 0;
  for (let round = 0; round < all; round++) {
    const labelled = ratingsOf(settings[1], n, new Draws('ppi', n, round));
    const more = ratingsOf(settings[1], 5000, new Draws('ppi, more', n, round % 50));
    const result = predictionPoweredMean(labelled.people, labelled.first, more.first);
    if (!isDefined(result)) continue;
    if (result.low <= 2.5 && 2.5 <= result.high) covered++;
    narrower += (result.high - result.low) / (result.labelsOnly.high - result.labelsOnly.low);
  }
  return { covered: covered / all, narrower: narrower / all };
}

const share = (count: number, of: number): string => (count / of).toFixed(3);

console.log(`${rounds} data sets each.\n`);
console.log('| data | images | measure | Type I error | coverage | coverage of the difference |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const setting of settings.filter(({ name }) => values.only === undefined || values.only === name)) {
  const truths = new Map(measures.map((measure) => [measure, truthOf(measure, setting)]));
  for (const images of sizes)
    for (const [measure, { n, covered, differenceCovered, rejected }] of simulate(setting, truths, images))
      console.log(
        `| ${setting.name} | ${images} | ${measure} | ${share(rejected, n)} | ${share(covered, n)} | ${share(differenceCovered, n)} |`,
      );
}
if (values.only === undefined) {
  console.log('\n| labels | coverage | width against labels alone |\n| --- | --- | --- |');
  for (const n of sizes) {
    const { covered, narrower } = simulatePpi(n);
    console.log(`| ${n} | ${covered.toFixed(3)} | ${narrower.toFixed(2)} |`);
  }
}
