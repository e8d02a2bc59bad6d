/**
 * Simulates scores of two systems. Measures the Type-I error and the interval coverage of `captious metrics` for
 * docs/statistics.md: tsx scripts/simulateMetrics.ts [DATA SETS] [NAME] [IMAGES].
 */
import { atOnce } from '../src/base/turns/steps';
import { type Column, type Corpus, summarise } from '../src/audit/captions/captionSummary';
import { bleuOf } from '../src/evaluator/overlap/bleu';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { mean } from '../src/stats/summary';

const rounds = Number(process.argv[2] ?? 2000);
/** Simulates only settings whose name contains this text. */
const only = process.argv[3] ?? '';
/** Simulates only data sets with this number of images. */
const onlySize = process.argv[4];
/** Numbers of images, each with a factor for the number of data sets. Small sizes get more data sets. */
const sizes = [
  [50, 4],
  [200, 2],
  [1000, 1],
] as const;
/** The number of simulated images in the population. */
const population = 200_000;

interface Setting {
  name: string;
  column: (images: number, draws: Draws) => Column;
  /** Whether the systems are equally good. If so, the test should not reject. */
  isEqual: boolean;
}

const normal = (draws: Draws): number => normalQuantile(draws.uniform());

/**
 * Scores of both systems. `of` makes each score from a normally distributed value. The values of the two systems for
 * the same image have a correlation of 0.5.
 */
function scores(images: number, draws: Draws, of: (value: number, system: number) => number): Column {
  const systems = [new Float64Array(images), new Float64Array(images)];
  for (let i = 0; i < images; i++) {
    const shared = Math.SQRT1_2 * normal(draws);
    for (const [system, own] of systems.entries()) own[i] = of(shared + Math.SQRT1_2 * normal(draws), system);
  }
  return { id: 'mean', images: named(images), systems };
}

function named(images: number): string[] {
  return Array.from({ length: images }, (_, i) => String(i));
}

/**
 * The number of values for a caption: four counts of correct n-grams and four of all n-grams (lengths 1 to 4), the
 * caption's length, and the reference's length.
 */
const width = 10;

/**
 * Captions of 8 to 13 words. The image and the caption determine the probability that a word is right. The second
 * system is worse by `lag`.
 */
function bleu(images: number, draws: Draws, lag: number): Column {
  const parts = [new Float64Array(width * images), new Float64Array(width * images)];
  for (let i = 0; i < images; i++) {
    const shared = normal(draws);
    const referenceLength = 8 + Math.floor(draws.uniform() * 6);
    for (const [system, own] of parts.entries()) {
      const right = 1 / (1 + Math.exp(-0.7 - 0.5 * (shared + normal(draws) - system * lag)));
      count(own.subarray(width * i, width * (i + 1)), right, referenceLength, draws);
    }
  }
  const corpus = (): Corpus => {
    const total = new Float64Array(width);
    return {
      add: (system, row, times) => {
        const own = parts[system];
        const at = width * row;
        for (let k = 0; k < width; k++) total[k] += times * own[at + k];
      },
      score: () => {
        const [correct, guessed] = [0, 4].map((at) => [...total.subarray(at, at + 4)]);
        return bleuOf({ correct, guessed, length: total[8], referenceLength: total[9] })[3];
      },
    };
  };
  return { id: 'bleu-4', images: named(images), systems: parts.map(() => new Float64Array(images)), corpus };
}

function count(parts: Float64Array, right: number, referenceLength: number, draws: Draws): void {
  const length = 8 + Math.floor(draws.uniform() * 6);
  let run = 0;
  for (let word = 0; word < length; word++) {
    run = draws.uniform() < right ? run + 1 : 0;
    for (let n = 0; n < Math.min(4, run); n++) parts[n]++;
  }
  for (let n = 0; n < 4; n++) parts[4 + n] = length - n;
  parts[8] = length;
  parts[9] = referenceLength;
}

/** Gives scores a skewness of about 1.05, like CIDEr of COCO's captions. */
const skewed = (value: number): number => Math.exp(0.33 * value);

const settings: readonly Setting[] = [
  {
    name: 'symmetric scores, such as ROUGE-L',
    column: (n, draws) => scores(n, draws, (value) => value),
    isEqual: true,
  },
  { name: 'skewed scores, such as CIDEr', column: (n, draws) => scores(n, draws, skewed), isEqual: true },
  {
    name: "skewed scores, one system's twice as high",
    column: (n, draws) => scores(n, draws, (value, system) => (2 - system) * skewed(value)),
    isEqual: false,
  },
  {
    name: 'skewed scores, one system fails on 10 % of images',
    column: (n, draws) =>
      scores(n, draws, (value, system) => (system === 1 && draws.uniform() < 0.1 ? 0 : skewed(value))),
    isEqual: false,
  },
  { name: 'BLEU-4 of a corpus', column: (n, draws) => bleu(n, draws, 0), isEqual: true },
  { name: 'BLEU-4 of a corpus, .38 and .26', column: (n, draws) => bleu(n, draws, 1), isEqual: false },
];

/** The score of each system in the population. */
function truthOf({ systems, corpus }: Column): number[] {
  return systems.map((own, system) => {
    if (corpus === undefined) return mean(own);
    const whole = corpus();
    own.forEach((_, row) => whole.add(system, row, 1));
    return whole.score();
  });
}

console.log(
  `${rounds} data sets of 1,000 images, ${2 * rounds} of 200 and ${4 * rounds} of 50.

| data | images | Type I | coverage of the score | of the difference |
| --- | --- | --- | --- | --- |`,
);
for (const { name, column, isEqual } of settings.filter((setting) => setting.name.includes(only))) {
  const truth = truthOf(column(population, new Draws('truth', name)));
  const apart = isEqual ? 0 : truth[0] - truth[1];
  for (const [images, more] of sizes.filter(
    ([size]) => onlySize === undefined || size === Number(onlySize),
  )) {
    const n = more * rounds;
    let [rejected, covered, differenceCovered] = [0, 0, 0];
    for (let round = 0; round < n; round++) {
      const { systems, difference } = atOnce(
        summarise(column(images, new Draws(name, images, round)), round),
      );
      const [low, high] = systems[0].ci ?? [NaN, NaN];
      if (low <= truth[0] && truth[0] <= high) covered++;
      const [least, most] = difference?.ci ?? [NaN, NaN];
      if (least <= apart && apart <= most) differenceCovered++;
      if ((difference?.p ?? 1) <= 0.05) rejected++;
    }
    const of = (times: number): string => (times / n).toFixed(3);
    console.log(
      `| ${name} | ${images} | ${isEqual ? of(rejected) : '–'} | ${of(covered)} | ${of(differenceCovered)} |`,
    );
  }
}
