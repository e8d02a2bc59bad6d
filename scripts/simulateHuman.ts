/**
 * Measures how often the intervals of the probe `human` contain the truth, on simulated judgments, for docs/statistics.md:
 * tsx scripts/simulateHuman.ts [DATA SETS] [NAME].
 */
import { accuracyMetrics, foilMetrics } from '../src/probe/human/choices';
import { correlationMetrics } from '../src/probe/human/correlations';
import type { HumanRow } from '../src/probe/human/row';
import { arenaMetrics, strengths, systemMetrics } from '../src/probe/human/systems';
import type { Metric } from '../src/probe/metric';
import { association, measures } from '../src/stats/agreement/association';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { isDefined } from '../src/stats/outcome';
import { mean } from '../src/stats/summary';

const rounds = Number(process.argv[2] ?? 1000);
/** Only settings whose name contains this. */
const only = process.argv[3] ?? '';
const sizes = [50, 200, 1000];
/** Images in the samples that stand for the population of systems. */
const population = 100_000;
const steps = [-0.67, 0, 0.67];
const systems = Array.from({ length: 8 }, (_, i) => ({
  name: `system ${i}`,
  /** How good the system's captions are, and how much the metric overrates them. */
  quality: normalQuantile((i + 0.5) / 8),
  bias: 0.4 * Math.sin(3 * i),
}));

interface Setting {
  name: string;
  rows: (images: number, draws: Draws) => HumanRow[];
  metrics: (rows: readonly HumanRow[]) => Metric[];
  shown: readonly string[];
  /** The true values by id. By default, the mean over all data sets of the largest size. */
  truth?: (draws: Draws) => Map<string, number>;
  /** Fewer data sets, because each resample ranks the systems again. */
  share?: number;
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

/** Captions of each image by all systems. */
function ofSystems(images: number, draws: Draws): HumanRow[] {
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

/** Captions of each image in pairs, with a preference or a tie, and three voters. */
function pairs(images: number, draws: Draws, perImage: number): HumanRow[] {
  return Array.from({ length: images }, (_, image) => {
    const easy = 0.5 * normal(draws);
    return Array.from({ length: perImage }, (): HumanRow => {
      const lead = 0.4 + easy + normal(draws);
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

function arena(images: number, draws: Draws): HumanRow[] {
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

function associations(id: string, [people, metric]: readonly ArrayLike<number>[]): Map<string, number> {
  return new Map(
    measures.map((measure) => {
      const found = association(measure, people, metric);
      return [`${id}.${measure}`, isDefined(found) ? found.value : NaN];
    }),
  );
}

const settings: readonly Setting[] = [
  {
    name: '4 captions per image, 3 people, ratings from 1 to 4',
    rows: ratings,
    metrics: correlationMetrics,
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
      ...accuracyMetrics(rows, []),
      ...foilMetrics(rows.map((row) => ({ ...row, kind: 'foil', preferred: 0 }))),
    ],
    shown: ['human.accuracy', 'human.ceiling.accuracy', 'human.foil'],
  },
  {
    name: '3 pairs per image, 3 voters',
    rows: (images, draws) => pairs(images, draws, 3),
    metrics: (rows) => accuracyMetrics(rows, []),
    shown: ['human.accuracy', 'human.ceiling.accuracy'],
  },
  {
    name: '8 systems, captions of each image by all',
    rows: ofSystems,
    metrics: (rows) => systemMetrics(rows, []),
    shown: ['human.system.tauB', 'human.system.spearman', 'human.system.pearson'],
    truth: (draws) => {
      const sides = [0, 1].map(() => systems.map(() => 0));
      ofSystems(population, draws).forEach(({ ratings: [rating] = [0], scores: [[score]] }, i) => {
        sides[0][i % systems.length] += rating;
        sides[1][i % systems.length] += score;
      });
      return associations('human.system', sides);
    },
    share: 0.3,
  },
  {
    name: '8 systems, 1 pair per image',
    rows: arena,
    metrics: (rows) => arenaMetrics(rows, []),
    shown: ['human.arena.tauB', 'human.arena.spearman'],
    truth: (draws) => {
      const rows = arena(population, draws);
      const all = Uint32Array.from(rows, (_, i) => i);
      const numbers = rows.flatMap(({ systems: own = [] }) =>
        own.map((name) => systems.findIndex((system) => system.name === name)),
      );
      const wins = [
        rows.map(({ preferred }) => 1 - (preferred ?? 0)),
        rows.map(({ scores: [[a, b]] }) => (a > b ? 1 : 0)),
      ];
      return associations(
        'human.arena',
        wins.map((own) => strengths(all, numbers, own, systems.length)),
      );
    },
    share: 0.3,
  },
];

const find = (metrics: readonly Metric[], id: string): Metric | undefined =>
  metrics.find((metric) => metric.id === id && metric.slice === undefined);

interface Found {
  value: number;
  ci: readonly [number, number] | undefined;
}

function simulate({ name, rows, metrics, shown, truth, share = 1 }: Setting): void {
  const all = Math.ceil(share * rounds);
  const found = sizes.map((images) => {
    const own = new Map(shown.map((id) => [id, [] as Found[]]));
    for (let round = 0; round < all; round++) {
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
      const without = all - intervals.length;
      return `${(covered / intervals.length).toFixed(3)}${without === 0 ? '' : ` (${without} without)`}`;
    });
    console.log(`| ${name} | \`${id}\` | ${whole.toFixed(3)} | ${cells.join(' | ')} |`);
  }
}

console.log(`${rounds} data sets, ${0.3 * rounds} of systems.\n`);
console.log(`| data | metric | truth | ${sizes.map((size) => `${size} images`).join(' | ')} |`);
console.log(`| --- | --- | --- | ${sizes.map(() => '---').join(' | ')} |`);
settings.filter(({ name }) => name.includes(only)).forEach(simulate);
