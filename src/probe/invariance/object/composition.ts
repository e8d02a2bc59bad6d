import { append } from '../../../base/lists';
import { say, type Words, together } from '../../../base/say';
import type { Steps } from '../../../base/turns/steps';
import { centred, numberClusters } from '../../../stats/clustering';
import { leastClusters } from '../../../stats/decisions/smallSample';
import { isDefined, type Outcome } from '../../../stats/outcome';
import { plainMean } from '../../../stats/summary';
import { knotsOf, type NestedTest, nestedTest, splineOf } from './spline';
import { imageInterval } from '../../inference/interval';
import { countsOf, largerOf, unitInterval, unitsOf, type UnitTest, unitWords } from '../../inference/units';
import type { Metric } from '../../metric';
import { bins, categories } from '../row';

/** The score of a generated caption, with the properties of the object that it names. */
export interface Scored {
  score: number;
  coverage: number;
  bin: string;
  category: string;
  image: number;
  /** The caption, which several images may share. */
  text?: string;
}

/** Metrics of how the score depends on the size and on the category of the object. */
export function* compositionMetrics(scored: readonly Scored[]): Steps<Metric[]> {
  yield;
  const metrics = [...balance(scored), ...(yield* means(scored))];
  yield;
  append(metrics, effectTests(scored));
  return metrics;
}

/** One observation per image or per caption, with the means of its rows, because F-tests need independent scores. */
function averaged(scored: readonly Scored[], keyOf: (one: Scored) => number | string): Scored[] {
  const own = new Map<number | string, Scored[]>();
  for (const one of scored) own.set(keyOf(one), [...(own.get(keyOf(one)) ?? []), one]);
  const meanOf = (some: readonly Scored[], of: (one: Scored) => number) => plainMean(some.map(of));
  return [...own.values()].map((some) =>
    some.length === 1
      ? some[0]
      : {
          ...some[0],
          score: meanOf(some, ({ score }) => score),
          coverage: meanOf(some, ({ coverage }) => coverage),
        },
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
  const units = unitsOf(scored);
  Object.assign(metric, countsOf(units));
  const interval = yield* unitInterval(units, (clusters) =>
    imageInterval({ rows: scored.length, statistic, clusters }),
  );
  if (isDefined(interval)) metric.ci = [interval.low, interval.high];
  else metric.note = together(note, say('probe.noInterval', interval.reason));
  return metric;
}

/**
 * F-tests of ordinary least squares: score ~ category + a natural cubic spline of coverage. If images share captions,
 * the category is also tested with one observation per caption, and the coverage within the images of each caption.
 */
export function effectTests(scored: readonly Scored[]): Metric[] {
  const images = averaged(scored, ({ image }) => image);
  const captions = unitsOf(scored).texts && averaged(scored, ({ text }) => text!);
  const test = (
    id: string,
    note: Words,
    found: Outcome<NestedTest>,
    byText?: Outcome<NestedTest>,
  ): Metric => {
    const metric: Metric = { id, value: null, n: images.length };
    if (!isDefined(found)) return { ...metric, note: say('invariance.effectUntested', note, found.reason) };
    const effect = say('invariance.effectTest', note, found.extra, found.rest, found.f.toPrecision(6));
    if (byText === undefined) return { ...metric, value: found.pValue, note: effect };
    const texts = captions!.length;
    const isTested = isDefined(byText) && texts >= leastClusters;
    const both: [UnitTest, UnitTest] = [
      { observations: images.length, side: 0, pValue: found.pValue },
      { observations: texts, side: 0, pValue: isTested ? byText.pValue : null },
    ];
    const words = isDefined(byText) ? unitWords(both) : say('inference.noTest', byText.reason);
    return { ...metric, texts, value: largerOf(both), note: together(effect, words) };
  };
  return [
    test(
      'invariance.object.category.adjusted.p',
      say('invariance.categoryEffect'),
      categoryTest(images),
      captions && categoryTest(captions),
    ),
    test(
      'invariance.object.coverage.adjusted.p',
      say('invariance.coverageEffect'),
      coverageTest(images),
      captions && withinCaptions(images),
    ),
  ];
}

const scoresOf = (scored: readonly Scored[]) => Float64Array.from(scored, ({ score }) => score);
const constant = (scored: readonly Scored[]) => new Float64Array(scored.length).fill(1);

function splinesOf(scored: readonly Scored[]): Float64Array[] {
  const coverages = scored.map(({ coverage }) => coverage);
  return splineOf(coverages, knotsOf(coverages));
}

function kindsOf(scored: readonly Scored[]): Float64Array[] {
  const present = categories.filter((name) => scored.some(({ category }) => category === name));
  return present
    .slice(1)
    .map((name) => Float64Array.from(scored, ({ category }) => (category === name ? 1 : 0)));
}

function categoryTest(scored: readonly Scored[]): Outcome<NestedTest> {
  return nestedTest(scoresOf(scored), [constant(scored), ...splinesOf(scored)], kindsOf(scored));
}

function coverageTest(scored: readonly Scored[]): Outcome<NestedTest> {
  return nestedTest(scoresOf(scored), [constant(scored), ...kindsOf(scored)], splinesOf(scored));
}

/** The test of the coverage with a constant per caption, which also removes the category. */
function withinCaptions(scored: readonly Scored[]): Outcome<NestedTest> {
  const captions = numberClusters(scored.map(({ text }) => text!));
  const columns = splinesOf(scored).map((column) => centred(column, captions));
  return nestedTest(centred(scoresOf(scored), captions), [], columns, captions.count);
}
