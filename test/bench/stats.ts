import { english } from '../../src/base/english';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce } from '../../src/base/turns/steps';
import { bcaInterval, type BootstrapInput } from '../../src/stats/bootstrap';
import { Draws } from '../../src/stats/draws';
import { mixedModel } from '../../src/stats/regression/mixedModel';
import { normalQuantile } from '../../src/stats/normal';
import { isDefined } from '../../src/stats/outcome';
import { pythonWith } from './needs';
import { median, type Section } from './report';

const pairs = 10_000;

/** Prints SciPy's interval for a median, and its time. Batches of 50 fit into the cache and are the fastest. */
const scipy = `
import sys, time, numpy as np
from scipy import stats
x = np.fromfile(sys.argv[1])
started, processor = time.perf_counter(), time.process_time()
r = stats.bootstrap((x,), np.median, n_resamples=10000, method="BCa", vectorized=True, batch=50, rng=1)
print(time.perf_counter() - started, time.process_time() - processor, r.confidence_interval.low, r.confidence_interval.high)
`;

/** Seconds. Wall time includes waiting for other programs; processor time does not. */
interface Taken {
  wall: number;
  processor: number;
}

function stopwatch(): () => Taken {
  const [wall, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return { wall: (performance.now() - wall) / 1000, processor: (user + system) / 1e6 };
  };
}

function scipyInterval(differences: Float64Array): {
  wall: number;
  processor: number;
  low: number;
  high: number;
} {
  const folder = mkdtempSync(join(tmpdir(), 'captious-bench-'));
  try {
    const file = join(folder, 'differences.f64');
    writeFileSync(file, Buffer.from(differences.buffer));
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const run = spawnSync(pythonWith('scipy'), ['-c', scipy, file], { encoding: 'utf8', env });
    if (run.status !== 0) throw new Error(`SciPy did not run: ${run.error?.message ?? run.stderr}`);
    const [wall, processor, low, high] = run.stdout.trim().split(' ').map(Number);
    return { wall, processor, low, high };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures bootstrap intervals and a large mixed model. Compares the interval of a median with SciPy's. */
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
    const taken: Taken[] = [];
    let interval;
    for (let round = 0; round < rounds; round++) {
      const stop = stopwatch();
      interval = atOnce(bcaInterval(input));
      taken.push(stop());
    }
    if (interval === undefined || !isDefined(interval)) throw new Error(`${name} has no interval`);
    const usual = median(taken.map(({ processor }) => processor));
    return { name, first: taken[0], usual, low: interval.low, high: interval.high };
  });
  const theirs = scipyInterval(differences);

  const [images, categories] = [500, 80];
  const level = (count: number): Float64Array => Float64Array.from({ length: count }, z);
  const effects = [level(images), level(categories)];
  const random = [images, categories].map((count) =>
    Uint32Array.from({ length: pairs }, () => Math.floor(draws.uniform() * count)),
  );
  const response = before.map((x, i) => 0.3 * x + effects[0][random[0][i]] + effects[1][random[1][i]] + z());
  const stop = stopwatch();
  const model = atOnce(mixedModel({ response, fixed: [new Float64Array(pairs).fill(1), before], random }));
  const reml = stop();
  if (!isDefined(model)) throw new Error(english(model.reason));

  const ours = measured[0];
  const cells = (...values: number[]): string[] => values.map((value) => value.toFixed(4));
  return {
    id: 'statistics',
    title: 'Bootstrap intervals',
    notes: [
      `10,000 BCa resamples over ${pairs.toLocaleString('en')} pairs, one core, seconds.`,
      `The first call is given in wall-clock and processor time, the median of ${rounds} calls in processor time.`,
      `SciPy: scipy.stats.bootstrap, vectorised, batches of 50, in the same run.`,
      `REML: ${pairs.toLocaleString('en')} rows, ${images} × ${categories} crossed levels, two fixed effects.`,
    ],
    columns: ['what', 'first, wall', 'first, processor', 'median, processor', 'low', 'high'],
    rows: [
      ...measured.map(({ name, first, usual, low, high }) => [
        name,
        ...cells(first.wall, first.processor, usual, low, high),
      ]),
      ['median, SciPy', ...cells(theirs.wall, theirs.processor), '', ...cells(theirs.low, theirs.high)],
      ['REML', ...cells(reml.wall, reml.processor), '', '', ''],
    ],
    data: { measured, scipy: theirs, reml },
    targets: [
      {
        what: 'median over 10,000 pairs, first call, wall-clock seconds',
        value: ours.first.wall,
        atMost: 1.5,
      },
      {
        what: 'speed relative to SciPy, first call, processor time',
        value: theirs.processor / ours.first.processor,
        atLeast: 10,
      },
    ],
  };
}
