/* Simulates the coverage of intervals and the Type-I error of tests; prints a table for docs/statistics.md. */
import { atOnce } from '../src/base/turns/steps';
import { testOfPairs } from '../src/probe/invariance/cell';
import { bcaInterval } from '../src/stats/bootstrap';
import { clusteredMeanTest } from '../src/stats/decisions/clusterTest';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { isDefined } from '../src/stats/outcome';
import { leastDiscordant } from '../src/stats/decisions/smallSample';

const runs = Number(process.argv[2] ?? 10_000);
const bootstrapRuns = Math.ceil(runs / 10);
const draws = new Draws('simulation', 1);

interface Sample {
  values: number[];
  clusters: number[];
}

interface Source {
  name: string;
  sample: (images: number) => Sample;
  /** The true mean; the default is zero. */
  mean?: number;
  isBinary?: boolean;
}

const normal = (): number => normalQuantile(draws.uniform());
const exponential = (): number => -Math.log(draws.uniform()) - 1;

function single(value: () => number): (images: number) => Sample {
  return (images) => ({
    values: Array.from({ length: images }, value),
    clusters: Array.from({ length: images }, (_, i) => i),
  });
}

/** Makes samples in which each image has an effect that its captions share. */
function clustered(
  size: () => number,
  value: (own: number) => number,
  effect = normal,
): (images: number) => Sample {
  return (images) => {
    const out: Sample = { values: [], clusters: [] };
    for (let image = 0; image < images; image++) {
      const own = effect();
      for (let i = size(); i > 0; i--) {
        out.values.push(value(own));
        out.clusters.push(image);
      }
    }
    return out;
  };
}

const discordant = (share: number, wins = share / 2): number => {
  const u = draws.uniform();
  return u < wins ? 1 : u < share ? -1 : 0;
};
const upTo7 = (): number => 1 + Math.floor(draws.uniform() * 7);

function sharedTurn(own: number): number {
  const turn = Math.abs(own) > 0.8 ? Math.sign(own) : 0;
  return draws.uniform() < 0.7 ? turn : discordant(0.4);
}

const sources: readonly Source[] = [
  { name: 'difference of scores, normal', sample: single(normal) },
  { name: 'difference of scores, skewed', sample: single(exponential) },
  { name: 'right or wrong, 60 % discordant', sample: single(() => discordant(0.6)), isBinary: true },
  { name: 'right or wrong, 20 % discordant', sample: single(() => discordant(0.2)), isBinary: true },
  {
    name: 'right or wrong, 45 % only right in one, 5 % only in the other',
    sample: single(() => discordant(0.5, 0.45)),
    mean: 0.4,
    isBinary: true,
  },
  {
    name: '5 captions per image, half of the variance shared',
    sample: clustered(
      () => 5,
      (own) => own + normal(),
    ),
  },
  {
    name: '1 to 7 captions per image, half of the variance shared',
    sample: clustered(upTo7, (own) => own + normal()),
  },
  {
    name: '5 captions per image, skewed, half of the variance shared',
    sample: clustered(
      () => 5,
      (own) => own + exponential(),
      exponential,
    ),
  },
  {
    name: '1 to 7 captions per image, skewed, half of the variance shared',
    sample: clustered(upTo7, (own) => own + exponential(), exponential),
  },
  {
    name: 'right or wrong, 5 captions per image, shared',
    sample: clustered(() => 5, sharedTurn),
    isBinary: true,
  },
  {
    name: 'right or wrong, 1 to 7 captions per image, shared',
    sample: clustered(upTo7, sharedTurn),
    isBinary: true,
  },
];

interface Line {
  coverage: number;
  typeOne: number;
  bca: number | undefined;
  /** The Type-I error of the invariance probe's test. */
  family: number | undefined;
}

function simulate({ sample, mean = 0, isBinary = false }: Source, images: number): Line | undefined {
  let [tested, covered, rejected, tried, caught, families, familyRejected] = [0, 0, 0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const { values, clusters } = sample(images);
    if (isBinary && values.filter((value) => value !== 0).length < leastDiscordant) continue;
    const centred = values.map((value) => value - mean);
    const test = clusteredMeanTest(centred, clusters, { correctsSkewness: !isBinary });
    if (!isDefined(test)) continue;
    tested++;
    if (test.low <= 0 && test.high >= 0) covered++;
    if (test.pValue < 0.05) rejected++;
    if (!isBinary) {
      const { pValue } = familyTest(values, clusters);
      families++;
      if (pValue !== null && pValue < 0.05) familyRejected++;
    }
    if (run >= bootstrapRuns) continue;
    const interval = atOnce(
      bcaInterval({
        values: centred,
        clusters,
        statistic: 'mean',
        resamples: 2000,
        seed: run,
      }),
    );
    if (!isDefined(interval)) continue;
    tried++;
    if (interval.low <= 0 && interval.high >= 0) caught++;
  }
  // Skips settings with too few testable samples.
  if (tested < runs / 4) return undefined;
  return {
    coverage: covered / tested,
    typeOne: rejected / tested,
    family: families === 0 ? undefined : familyRejected / families,
    bca: tried === 0 ? undefined : caught / tried,
  };
}

/** Tests one mean difference per image. Each image's "before" and "after" are swapped with probability one half. */
function familyTest(values: readonly number[], clusters: readonly number[]): ReturnType<typeof testOfPairs> {
  const sums = new Map<number, { sum: number; n: number }>();
  for (const [i, value] of values.entries()) {
    const own = sums.get(clusters[i]) ?? { sum: 0, n: 0 };
    sums.set(clusters[i], { sum: own.sum + value, n: own.n + 1 });
  }
  const pairs = Array.from(sums.values(), ({ sum, n }) => {
    const score = normal();
    const pair = [score, score + sum / n];
    return draws.uniform() < 0.5 ? pair : pair.reverse();
  });
  return testOfPairs(
    Float64Array.from(pairs, ([before]) => before),
    Float64Array.from(pairs, ([, after]) => after),
  );
}

const cells: string[][] = [];
for (const source of sources)
  for (const images of [20, 50, 200]) {
    const line = simulate(source, images);
    if (line === undefined) continue;
    cells.push([
      source.name,
      String(images),
      `${(100 * line.coverage).toFixed(1)} %`,
      line.typeOne.toFixed(3),
      line.family?.toFixed(3) ?? '–',
      line.bca === undefined ? '–' : `${(100 * line.bca).toFixed(1)} %`,
    ]);
    process.stderr.write(`${cells.at(-1)!.join(' | ')}\n`);
  }
const heads = ['outcome', 'images', 'coverage', 'Type I', 'Type I of invariance', 'coverage of BCa'];
for (const row of [heads, heads.map((_, i) => (i === 0 ? '---' : '---:')), ...cells])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
