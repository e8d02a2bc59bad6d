import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bcaInterval, type BootstrapInput } from '../../src/stats/bootstrap';
import { Draws } from '../../src/stats/draws';
import { mixedModel } from '../../src/stats/mixedModel';
import { normalQuantile } from '../../src/stats/normal';
import { isDefined } from '../../src/stats/outcome';
import { median, type Section } from './report';

const pairs = 10_000;

/** SciPy on the same differences, in batches small enough for the cache: its fastest setting. */
const scipy = `
import sys, time, numpy as np
from scipy import stats
x = np.fromfile(sys.argv[1])
started = time.perf_counter()
r = stats.bootstrap((x,), np.median, n_resamples=10000, method="BCa", vectorized=True, batch=50, rng=1)
print(time.perf_counter() - started, r.confidence_interval.low, r.confidence_interval.high)
`;

function python(): string {
  const own = join('.venv', 'bin', 'python');
  return process.env.CAPTIOUS_PYTHON ?? (existsSync(own) ? own : 'python3');
}

function scipyInterval(differences: Float64Array): { seconds: number; low: number; high: number } {
  const folder = mkdtempSync(join(tmpdir(), 'captious-bench-'));
  try {
    const file = join(folder, 'differences.f64');
    writeFileSync(file, Buffer.from(differences.buffer));
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const run = spawnSync(python(), ['-c', scipy, file], { encoding: 'utf8', env });
    if (run.status !== 0) throw new Error(`SciPy did not run: ${run.error?.message ?? run.stderr}`);
    const [seconds, low, high] = run.stdout.trim().split(' ').map(Number);
    return { seconds, low, high };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bootstrap intervals beside scipy.stats.bootstrap in the same run, and a large mixed model. */
export function benchStatistics(rounds: number): Section {
  const draws = new Draws('bench', 1);
  const z = (): number => normalQuantile(draws.uniform());
  const before = Float64Array.from({ length: pairs }, z);
  const after = before.map((value) => value + 0.1 + 0.5 * z());
  const clusters = Uint32Array.from(before, (_, i) => Math.floor(i / 5));
  const differences = after.map((value, i) => value - before[i]);
  const rates = differences.map((value) => (value > 0 ? 1 : 0));

  const inputs: [string, BootstrapInput][] = [
    ['median', { values: differences, statistic: 'median' }],
    ['median, 2,000 clusters', { values: differences, clusters, statistic: 'median' }],
    ['mean', { values: differences, statistic: 'mean' }],
    ['mean, 2,000 clusters', { values: differences, clusters, statistic: 'mean' }],
    ['rate', { values: rates, statistic: 'mean' }],
  ];
  const measured = inputs.map(([name, input]) => {
    const seconds: number[] = [];
    let interval;
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      interval = bcaInterval(input);
      seconds.push((performance.now() - started) / 1000);
    }
    if (interval === undefined || !isDefined(interval)) throw new Error(`${name} has no interval`);
    return { name, first: seconds[0], median: median(seconds), low: interval.low, high: interval.high };
  });
  const theirs = scipyInterval(differences);

  const [images, categories] = [500, 80];
  const level = (count: number): Float64Array => Float64Array.from({ length: count }, z);
  const effects = [level(images), level(categories)];
  const random = [images, categories].map((count) =>
    Uint32Array.from({ length: pairs }, () => Math.floor(draws.uniform() * count)),
  );
  const response = before.map((x, i) => 0.3 * x + effects[0][random[0][i]] + effects[1][random[1][i]] + z());
  const started = performance.now();
  const model = mixedModel({ response, fixed: [new Float64Array(pairs).fill(1), before], random });
  const mixedSeconds = (performance.now() - started) / 1000;
  if (!isDefined(model)) throw new Error(model.reason);

  const ours = measured[0];
  return {
    id: 'statistics',
    title: 'Bootstrap intervals',
    notes: [
      `10,000 BCa resamples over ${pairs.toLocaleString('en')} pairs, one core, seconds. First is the first call in the process.`,
      `SciPy: scipy.stats.bootstrap, vectorised, batches of 50, in the same run.`,
      `REML: ${pairs.toLocaleString('en')} rows, ${images} × ${categories} crossed levels, two fixed effects.`,
    ],
    columns: ['what', 'first', 'median', 'low', 'high'],
    rows: [
      ...measured.map(({ name, first, median: usual, low, high }) => [
        name,
        ...[first, usual, low, high].map((value) => value.toFixed(4)),
      ]),
      ['median, SciPy', '', theirs.seconds.toFixed(4), theirs.low.toFixed(4), theirs.high.toFixed(4)],
      ['REML', mixedSeconds.toFixed(4), '', '', ''],
    ],
    data: { measured, scipy: theirs, mixedSeconds },
    targets: [
      { what: 'median over 10,000 pairs, first call, seconds', value: ours.first, atMost: 1.5 },
      { what: 'times faster than SciPy', value: theirs.seconds / ours.median, atLeast: 10 },
    ],
  };
}
