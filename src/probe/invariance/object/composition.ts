import { append } from '../../../base/append';
import { say, type Words, together } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { isDefined } from '../../../stats/outcome';
import { plainMean } from '../../../stats/summary';
import { knotsOf, nestedTest, splineOf } from './spline';
import { imageInterval } from '../../inference/interval';
import type { Metric } from '../../metric';
import { bins, categories } from '../row';

/** The score of a generated caption, with the properties of the object that it names. */
export interface Scored {
  score: number;
  coverage: number;
  bin: string;
  category: string;
  photo: number;
}

/** Metrics of how the score depends on the size and on the category of the object. */
export function* compositionMetrics(scored: readonly Scored[]): Steps<Metric[]> {
  yield;
  const metrics = [...balance(scored), ...(yield* means(scored))];
  yield;
  append(metrics, effects(byImage(scored)));
  return metrics;
}

/** One score per image, the mean of its rows, because the F-tests need independent scores. */
function byImage(scored: readonly Scored[]): Scored[] {
  const images = new Map<number, Scored[]>();
  for (const one of scored) images.set(one.photo, [...(images.get(one.photo) ?? []), one]);
  return [...images.values()].map((own) =>
    own.length === 1 ? own[0] : { ...own[0], score: plainMean(own.map(({ score }) => score)) },
  );
}

/** The share and the number of images per combination of category and size. */
function balance(scored: readonly Scored[]): Metric[] {
  return categories.flatMap((category) =>
    bins.flatMap((bin): Metric[] => {
      const n = scored.filter((one) => one.category === category && one.bin === bin).length;
      if (n === 0) return [];
      const id = 'invariance.object.balance';
      return [{ id, value: n / scored.length, n, slice: { category, coverage: bin } }];
    }),
  );
}

function* means(scored: readonly Scored[]): Steps<Metric[]> {
  const cells = scored.map(({ category, bin }) => `${category} ${bin}`);
  const count = new Set(cells).size;
  const numbers = new Map([...new Set(cells)].map((cell, i) => [cell, i]));
  const cellOf = Uint32Array.from(cells, (cell) => numbers.get(cell)!);
  const balanced = (rows: Uint32Array): number => {
    const sums = new Float64Array(count);
    const sizes = new Uint32Array(count);
    for (const row of rows) {
      sums[cellOf[row]] += scored[row].score;
      sizes[cellOf[row]]++;
    }
    let [total, filled] = [0, 0];
    for (let cell = 0; cell < count; cell++) {
      if (sizes[cell] === 0) continue;
      total += sums[cell] / sizes[cell];
      filled++;
    }
    return total / filled;
  };
  const plain = (rows: Uint32Array): number => {
    let total = 0;
    for (const row of rows) total += scored[row].score;
    return total / rows.length;
  };
  return [
    yield* meanMetric('invariance.object.mean', scored, plain, say('invariance.meanScoreMeaning')),
    yield* meanMetric(
      'invariance.object.balanced',
      scored,
      balanced,
      say('invariance.balancedMeanMeaning', count),
    ),
  ];
}

function* meanMetric(
  id: string,
  scored: readonly Scored[],
  statistic: (rows: Uint32Array) => number,
  note: Words,
): Steps<Metric> {
  const metric: Metric = { id, value: null, n: scored.length, note };
  if (scored.length === 0) return { ...metric, note: say('invariance.noImages') };
  metric.value = statistic(Uint32Array.from(scored.keys()));
  const clusters = scored.map(({ photo }) => photo);
  const images = new Set(clusters).size;
  if (images < metric.n) metric.images = images;
  const interval = yield* imageInterval({ rows: scored.length, statistic, clusters });
  if (isDefined(interval)) metric.ci = [interval.low, interval.high];
  else metric.note = together(note, say('probe.noInterval', interval.reason));
  return metric;
}

/** F-tests of ordinary least squares: score ~ category + a natural cubic spline of coverage. */
function effects(scored: readonly Scored[]): Metric[] {
  const present = categories.filter((name) => scored.some(({ category }) => category === name));
  const kinds = present
    .slice(1)
    .map((name) => Float64Array.from(scored, ({ category }) => (category === name ? 1 : 0)));
  const coverages = scored.map(({ coverage }) => coverage);
  const size = splineOf(coverages, knotsOf(coverages));
  const scores = Float64Array.from(scored, ({ score }) => score);
  const one = new Float64Array(scored.length).fill(1);
  const test = (id: string, without: Float64Array[], extra: Float64Array[], note: Words): Metric => {
    const metric: Metric = { id, value: null, n: scored.length };
    const found = nestedTest(scores, [one, ...without], extra);
    return isDefined(found)
      ? {
          ...metric,
          value: found.pValue,
          note: say('invariance.effectTest', note, found.extra, found.rest, found.f.toPrecision(6)),
        }
      : { ...metric, note: say('invariance.effectUntested', note, found.reason) };
  };
  return [
    test('invariance.object.category.adjusted.p', size, kinds, say('invariance.categoryEffect')),
    test('invariance.object.coverage.adjusted.p', kinds, size, say('invariance.coverageEffect')),
  ];
}
