/**
 * Measures the Type-I error of the test and the coverage of the intervals of `captious metrics` on simulated scores of two equally good
 * systems, for docs/statistics.md: tsx scripts/simulateMetrics.ts [DATA SETS].
 */
import { summarise, swapped, type Column } from '../src/audit/captions/captionSummary';
import { addParts, bleuOf, type BleuParts, noParts } from '../src/evaluator/overlap/bleu';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';

const rounds = Number(process.argv[2] ?? 1000);
/** The test takes less time than the intervals, so it gets more data sets. */
const tests = 4;
/** The number of images, and data sets of this size relative to those of the largest. */
const sizes = [
  [50, 10],
  [200, 3],
  [1000, 1],
] as const;
/** Images in the sample that stands for the population. */
const population = 200_000;

interface Setting {
  name: string;
  column: (images: number, draws: Draws) => Column;
  /** Fewer data sets, because each resample scores the corpus again. */
  share?: number;
}

const normal = (draws: Draws): number => normalQuantile(draws.uniform());

/** Scores of both systems, which depend on the image and on the caption. CIDEr of COCO's captions has a skewness of 1.05. */
function scores(images: number, draws: Draws, of: (value: number) => number): Column {
  const systems = [new Float64Array(images), new Float64Array(images)];
  for (let i = 0; i < images; i++) {
    const shared = Math.SQRT1_2 * normal(draws);
    for (const own of systems) own[i] = of(shared + Math.SQRT1_2 * normal(draws));
  }
  return { id: 'mean', systems };
}

/** Captions of about 11 words, whose words and n-grams are more or less often right. */
function bleu(images: number, draws: Draws): Column {
  const systems = [0, 1].map((): BleuParts[] => []);
  for (let i = 0; i < images; i++) {
    const shared = normal(draws);
    const referenceLength = 8 + Math.floor(draws.uniform() * 6);
    for (const own of systems) own.push(partsOf(shared + normal(draws), referenceLength, draws));
  }
  return {
    id: 'bleu-4',
    systems: systems.map((own) => Float64Array.from(own, () => 0)),
    corpus: (rows, from) => {
      const total = noParts();
      for (let i = 0; i < rows.length; i++) addParts(total, systems[from(i)][rows[i]]);
      return bleuOf(total)[3];
    },
  };
}

function partsOf(quality: number, referenceLength: number, draws: Draws): BleuParts {
  const length = 8 + Math.floor(draws.uniform() * 6);
  const right = 1 / (1 + Math.exp(-0.7 - 0.5 * quality));
  const isRight = Array.from({ length }, () => draws.uniform() < right);
  const guessed = [0, 1, 2, 3].map((n) => length - n);
  const correct = guessed.map(
    (count, n) =>
      Array.from({ length: count }, (_, i) => isRight.slice(i, i + n + 1).every(Boolean)).filter(Boolean)
        .length,
  );
  return { correct, guessed, length, referenceLength };
}

const settings: readonly Setting[] = [
  { name: 'symmetric scores, such as ROUGE-L', column: (n, draws) => scores(n, draws, (value) => value) },
  {
    name: 'skewed scores, such as CIDEr',
    column: (n, draws) => scores(n, draws, (value) => Math.exp(0.33 * value)),
  },
  { name: 'BLEU-4 of a corpus', column: bleu, share: 0.5 },
];

console.log(
  `${rounds} data sets of 1,000 images, more of fewer images, half as many of BLEU; ${tests} times as many for Type I.\n`,
);
console.log('| data | images | Type I | coverage of the score | of the difference |');
console.log('| --- | --- | --- | --- | --- |');
for (const { name, column, share = 1 } of settings) {
  const whole = column(population, new Draws('truth', name));
  const all = Array.from({ length: population }, (_, i) => i);
  const truth =
    whole.corpus?.(all, () => 0) ?? whole.systems[0].reduce((sum, one) => sum + one, 0) / population;
  for (const [images, more] of sizes) {
    const n = Math.ceil(share * more * rounds);
    let [rejected, covered, differenceCovered] = [0, 0, 0];
    for (let round = 0; round < n; round++) {
      const { systems, difference } = summarise(column(images, new Draws(name, images, round)), round);
      const [low, high] = systems[0].ci ?? [NaN, NaN];
      if (low <= truth && truth <= high) covered++;
      const [least, most] = difference?.ci ?? [NaN, NaN];
      if (least <= 0 && 0 <= most) differenceCovered++;
    }
    for (let round = 0; round < tests * n; round++) {
      const made = column(images, new Draws(name, images, 'test', round));
      const rows = Array.from({ length: images }, (_, i) => i);
      if (swapped(made, rows, round) <= 0.05) rejected++;
    }
    const of = (count: number): string => (count / n).toFixed(3);
    console.log(
      `| ${name} | ${images} | ${(rejected / (tests * n)).toFixed(3)} | ${of(covered)} | ${of(differenceCovered)} |`,
    );
  }
}
