/**
 * Measures how often the intervals of the probe `human` contain the truth, on simulated judgments, for docs/statistics.md:
 * tsx scripts/simulateHuman.ts [DATA SETS] [NAME].
 */
import { atOnce } from '../src/base/turns/steps';
import { accuracyMetrics, foilMetrics } from '../src/probe/human/choices';
import { correlationMetrics } from '../src/probe/human/correlations';
import type { HumanRow } from '../src/probe/human/row';
import { arenaMetrics, systemMetrics } from '../src/probe/human/systems';
import type { Metric } from '../src/probe/metric';
import { association, measures } from '../src/stats/agreement/association';
import { Draws } from '../src/stats/draws';
import { normalCdf, normalQuantile } from '../src/stats/normal';
import { isDefined } from '../src/stats/outcome';
import { mean } from '../src/stats/summary';

const rounds = Number(process.argv[2] ?? 1000);
/** Simulates only settings whose name contains this text. */
const only = process.argv[3] ?? '';
const sizes = [50, 200, 1000];
/** The number of simulated systems in the population. */
const population = 100_000;
const steps = [-0.67, 0, 0.67];

interface Setting {
  name: string;
  rows: (images: number, draws: Draws) => HumanRow[];
  metrics: (rows: readonly HumanRow[]) => Metric[];
  shown: readonly string[];
  /** The true values by metric id. The default is the mean over all data sets of the largest size. */
  truth?: (draws: Draws) => Map<string, number>;
}

const normal = (draws: Draws): number => normalQuantile(draws.uniform());
const rated = (value: number): number => 1 + steps.filter((step) => value > step).length;

function base(image: number, kind: HumanRow['kind'], captions: number): HumanRow {
  const texts = Array.from({ length: captions }, (_, i) => String(i));
  return { example: String(image), row: image, image: String(image), kind, captions: texts, scores: [] };
}

/** Four captions of each image, each with the ratings of three people. */
function ratings(images: number, draws: Draws): HumanRow[] {
  return Array.from({ length: images }, (_, image) => {
    const difficulty = 0.5 * normal(draws);
    return Array.from({ length: 4 }, (): HumanRow => {
      const quality = difficulty + 0.87 * normal(draws);
      return {
        ...base(image, 'rating', 1),
        ratings: [0, 1, 2].map(() => rated(quality + 0.6 * normal(draws))),
        scores: [[0.77 * quality + 0.63 * normal(draws)]],
      };
    });
  }).flat();
}

interface System {
  name: string;
  /** The system's caption quality, and how much the metric overrates it. */
  quality: number;
  bias: number;
}

function systemsOf(count: number, draws: Draws): System[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `system ${i}`,
    quality: normal(draws),
    bias: 0.5 * normal(draws),
  }));
}

/** One caption of each image by each system. */
function ofSystems(images: number, draws: Draws, count: number): HumanRow[] {
  const systems = systemsOf(count, draws);
  return Array.from({ length: images }, (_, image) => {
    const difficulty = 0.5 * normal(draws);
    return systems.map(({ name, quality, bias }): HumanRow => {
      const own = difficulty + quality + normal(draws);
      return {
        ...base(image, 'rating', 1),
        systems: [name],
        ratings: [rated(own + 0.6 * normal(draws))],
        scores: [[own + bias + normal(draws)]],
      };
    });
  }).flat();
}

/** Caption pairs of each image, with the votes of three people and the majority's preference. */
function pairs(images: number, draws: Draws, perImage: number, ahead = 0.4): HumanRow[] {
  return Array.from({ length: images }, (_, image) => {
    const easy = 0.5 * normal(draws);
    return Array.from({ length: perImage }, (): HumanRow => {
      const lead = ahead + easy + normal(draws);
      const votes = [0, 1, 2].filter(() => lead + normal(draws) > 0).length;
      return {
        ...base(image, 'preference', 2),
        preferred: votes > 1.5 ? 0 : 1,
        votes: [votes, 3 - votes],
        scores: [[lead + 0.8 * normal(draws), 0]],
      };
    });
  }).flat();
}

function arena(images: number, draws: Draws, count: number): HumanRow[] {
  const systems = systemsOf(count, draws);
  return Array.from({ length: images }, (_, image) => {
    const first = Math.floor(draws.uniform() * systems.length);
    const other = (first + 1 + Math.floor(draws.uniform() * (systems.length - 1))) % systems.length;
    const [a, b] = [systems[first], systems[other]];
    const lead = a.quality - b.quality + 1.2 * normal(draws);
    return {
      ...base(image, 'preference', 2),
      systems: [a.name, b.name],
      preferred: lead + 0.6 * normal(draws) > 0 ? 0 : 1,
      scores: [[lead + a.bias - b.bias + normal(draws), 0]],
    };
  });
}

/** The true correlations, in the population of systems, between `people(quality)` and the mean score. */
function truthOf(id: string, people: (quality: number) => number): (draws: Draws) => Map<string, number> {
  return (draws) => {
    const systems = systemsOf(population, draws);
    const sides = [
      systems.map(({ quality }) => people(quality)),
      systems.map((one) => one.quality + one.bias),
    ];
    return new Map(
      measures.map((measure) => {
        const found = association(measure, sides[0], sides[1]);
        return [`${id}.${measure}`, isDefined(found) ? found.value : NaN];
      }),
    );
  };
}

/** A system's expected rating. The noise of images, captions and people has a total variance of 1.61. */
function meanRating(quality: number): number {
  return 1 + steps.reduce((sum, step) => sum + normalCdf((quality - step) / Math.sqrt(1.61)), 0);
}

const settings: readonly Setting[] = [
  {
    name: '4 captions per image, 3 people, ratings from 1 to 4',
    rows: ratings,
    metrics: (rows) => atOnce(correlationMetrics(rows)),
    shown: [
      ...['human.tauB', 'human.tauC', 'human.spearman', 'human.pearson'],
      ...['human.tauB.each', 'human.ceiling.tauB', 'human.ceiling.pearson'],
      ...['human.pairwise', 'human.pairwise.calibrated'],
    ],
  },
  {
    name: '1 pair per image, 3 voters',
    rows: (images, draws) => pairs(images, draws, 1),
    metrics: (rows) => [
      ...atOnce(accuracyMetrics(rows, [])),
      ...atOnce(foilMetrics(rows.map((row) => ({ ...row, kind: 'foil', preferred: 0 })))),
    ],
    shown: ['human.accuracy', 'human.ceiling.accuracy', 'human.foil'],
  },
  {
    name: '3 pairs per image, 3 voters',
    rows: (images, draws) => pairs(images, draws, 3),
    metrics: (rows) => atOnce(accuracyMetrics(rows, [])),
    shown: ['human.accuracy', 'human.ceiling.accuracy'],
  },
  {
    name: '3 pairs per image, an easy choice',
    rows: (images, draws) => pairs(images, draws, 3, 2),
    metrics: (rows) => atOnce(accuracyMetrics(rows, [])),
    shown: ['human.accuracy'],
  },
  ...[8, 12, 20].map((count): Setting => ({
    name: `${count} systems, captions of each image by all`,
    rows: (images, draws) => ofSystems(images, draws, count),
    metrics: (rows) => systemMetrics(rows, []),
    shown: ['human.system.tauB', 'human.system.spearman', 'human.system.pearson'],
    truth: truthOf('human.system', meanRating),
  })),
  ...[8, 12].map((count): Setting => ({
    name: `${count} systems, 1 pair per image`,
    rows: (images, draws) => arena(images, draws, count),
    metrics: (rows) => arenaMetrics(rows, []),
    shown: ['human.arena.tauB', 'human.arena.spearman'],
    truth: truthOf('human.arena', (quality) => quality),
  })),
];

const find = (metrics: readonly Metric[], id: string): Metric | undefined =>
  metrics.find((metric) => metric.id === id && metric.slice === undefined);

interface Found {
  value: number;
  ci: readonly [number, number] | undefined;
}

function simulate({ name, rows, metrics, shown, truth }: Setting): void {
  const found = sizes.map((images) => {
    const own = new Map(shown.map((id) => [id, [] as Found[]]));
    for (let round = 0; round < rounds; round++) {
      const made = metrics(rows(images, new Draws(name, images, round)));
      for (const [id, list] of own) {
        const metric = find(made, id);
        if (typeof metric?.value === 'number') list.push({ value: metric.value, ci: metric.ci });
      }
    }
    return own;
  });
  const truths =
    truth?.(new Draws('truth', name)) ??
    new Map(
      shown.map((id) => [
        id,
        mean(
          found
            .at(-1)!
            .get(id)!
            .map(({ value }) => value),
        ),
      ]),
    );
  for (const id of shown) {
    const whole = truths.get(id)!;
    const cells = found.map((own) => {
      const intervals = own.get(id)!.flatMap(({ ci }) => (ci === undefined ? [] : [ci]));
      const covered = intervals.filter(([low, high]) => low <= whole && whole <= high).length;
      const without = rounds - intervals.length;
      if (intervals.length === 0) return '–';
      return `${(covered / intervals.length).toFixed(3)}${without === 0 ? '' : ` (${without} without)`}`;
    });
    console.log(`| ${name} | \`${id}\` | ${whole.toFixed(3)} | ${cells.join(' | ')} |`);
  }
}

console.log(`${rounds} data sets.\n`);
console.log(`| data | metric | truth | ${sizes.map((size) => `${size} images`).join(' | ')} |`);
console.log(`| --- | --- | --- | ${sizes.map(() => '---').join(' | ')} |`);
settings.filter(({ name }) => name.includes(only)).forEach(simulate);
