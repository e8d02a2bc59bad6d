/* Simulates the coverage of intervals and the Type-I error of tests; prints the table of docs/statistics.md. */
import { pairedTTest } from '../src/stats/tTest';
import { bcaInterval } from '../src/stats/bootstrap';
import { clusteredMeanTest } from '../src/stats/decisions/clusterTest';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';
import { isDefined } from '../src/stats/outcome';
import { leastDiscordant } from '../src/stats/decisions/smallSample';

const runs = Number(process.argv[2] ?? 4000);
const bootstrapRuns = Math.ceil(runs / 4);
const draws = new Draws('simulation', 1);

interface Sample {
  values: number[];
  clusters: number[];
}

interface Source {
  name: string;
  /** The true mean is zero. */
  sample: (images: number) => Sample;
  isBinary?: boolean;
}

const normal = (): number => normalQuantile(draws.uniform());

function single(value: () => number): (images: number) => Sample {
  return (images) => ({
    values: Array.from({ length: images }, value),
    clusters: Array.from({ length: images }, (_, i) => i),
  });
}

/** Each image has a separate effect, which its captions share. */
function clustered(size: () => number, value: (own: number) => number): (images: number) => Sample {
  return (images) => {
    const out: Sample = { values: [], clusters: [] };
    for (let image = 0; image < images; image++) {
      const own = normal();
      for (let i = size(); i > 0; i--) {
        out.values.push(value(own));
        out.clusters.push(image);
      }
    }
    return out;
  };
}

const discordant = (share: number): number => {
  const u = draws.uniform();
  return u < share / 2 ? 1 : u < share ? -1 : 0;
};

const sources: readonly Source[] = [
  { name: 'difference of scores, normal', sample: single(normal) },
  { name: 'difference of scores, skewed', sample: single(() => -Math.log(draws.uniform()) - 1) },
  { name: 'right or wrong, 60 % discordant', sample: single(() => discordant(0.6)), isBinary: true },
  { name: 'right or wrong, 20 % discordant', sample: single(() => discordant(0.2)), isBinary: true },
  {
    name: '5 captions per image, half of the variance shared',
    sample: clustered(
      () => 5,
      (own) => own + normal(),
    ),
  },
  {
    name: '1 to 7 captions per image, half of the variance shared',
    sample: clustered(
      () => 1 + Math.floor(draws.uniform() * 7),
      (own) => own + normal(),
    ),
  },
  {
    name: 'right or wrong, 5 captions per image, shared',
    sample: clustered(
      () => 5,
      (own) => {
        const turn = Math.abs(own) > 0.8 ? Math.sign(own) : 0;
        return draws.uniform() < 0.7 ? turn : discordant(0.4);
      },
    ),
    isBinary: true,
  },
];

interface Line {
  coverage: number;
  typeOne: number;
  bca: number | undefined;
  /** The p value of a family of variants, with one value per image, computed like in the invariance probe. */
  family: number;
}

function simulate({ sample, isBinary = false }: Source, images: number): Line | undefined {
  let [tested, covered, rejected, tried, caught, families, familyRejected] = [0, 0, 0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const { values, clusters } = sample(images);
    if (isBinary && values.filter((value) => value !== 0).length < leastDiscordant) continue;
    const test = clusteredMeanTest(values, clusters);
    if (!isDefined(test)) continue;
    tested++;
    if (test.low <= 0 && test.high >= 0) covered++;
    if (test.pValue < 0.05) rejected++;
    const means = new Map<number, { sum: number; n: number }>();
    for (const [i, value] of values.entries()) {
      const own = means.get(clusters[i]) ?? { sum: 0, n: 0 };
      means.set(clusters[i], { sum: own.sum + value, n: own.n + 1 });
    }
    const family = pairedTTest(
      [...means.values()].map(({ sum, n }) => sum / n),
      new Float64Array(means.size),
    );
    if (isDefined(family)) {
      families++;
      if (family.pValue < 0.05) familyRejected++;
    }
    if (run >= bootstrapRuns) continue;
    const interval = bcaInterval({ values, clusters, statistic: 'mean', resamples: 2000, seed: run });
    if (!isDefined(interval)) continue;
    tried++;
    if (interval.low <= 0 && interval.high >= 0) caught++;
  }
  // Skips settings in which too few samples have enough discordant rows.
  if (tested < runs / 4) return undefined;
  return {
    coverage: covered / tested,
    typeOne: rejected / tested,
    family: familyRejected / families,
    bca: tried === 0 ? undefined : caught / tried,
  };
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
      line.family.toFixed(3),
      line.bca === undefined ? '–' : `${(100 * line.bca).toFixed(1)} %`,
    ]);
    process.stderr.write(`${cells.at(-1)!.join(' | ')}\n`);
  }
const heads = ['outcome', 'images', 'coverage', 'Type I', 'Type I, one value per image', 'coverage of BCa'];
for (const row of [heads, heads.map((_, i) => (i === 0 ? '---' : '---:')), ...cells])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
