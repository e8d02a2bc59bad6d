import { bcaInterval } from '../../stats/bootstrap';
import { isDefined, notDefined, type Outcome } from '../../stats/outcome';
import { dot, factorise } from '../../stats/regression/linear';
import { betaTails } from '../../stats/special';
import { quantile } from '../../stats/summary';
import { intervalSeed } from '../figure';
import type { Metric } from '../metric';
import { bins } from './objects';
import { categories } from './row';

/** The score of an image's generated caption, with the properties of its object. */
export interface Scored {
  score: number;
  coverage: number;
  bin: string;
  category: string;
  photo: number;
}

/**
 * How the score depends on an object's size and on its category, each adjusted for the other. Means count
 * every combination equally.
 */
export function compositionMetrics(scored: readonly Scored[]): Metric[] {
  return [...balance(scored), ...means(scored), ...effects(scored)];
}

/** How many images have each combination of category and size. */
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

function means(scored: readonly Scored[]): Metric[] {
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
    meanMetric('invariance.object.mean', scored, plain, 'The mean score.'),
    meanMetric(
      'invariance.object.balanced',
      scored,
      balanced,
      `The mean of the mean scores of ${count} combinations of category and size.`,
    ),
  ];
}

function meanMetric(
  id: string,
  scored: readonly Scored[],
  statistic: (rows: Uint32Array) => number,
  note: string,
): Metric {
  const metric: Metric = { id, value: null, n: scored.length, note };
  if (scored.length === 0) return { ...metric, note: 'No images.' };
  metric.value = statistic(Uint32Array.from(scored.keys()));
  const clusters = scored.map(({ photo }) => photo);
  const images = new Set(clusters).size;
  if (images < metric.n) metric.images = images;
  const interval = bcaInterval({ rows: scored.length, statistic, clusters, seed: intervalSeed });
  if (isDefined(interval)) metric.ci = [interval.low, interval.high];
  else metric.note = `${note} No interval: ${interval.reason}.`;
  return metric;
}

/** F-tests of ordinary least squares: score ~ category + a natural cubic spline of coverage. */
function effects(scored: readonly Scored[]): Metric[] {
  const present = categories.filter((name) => scored.some(({ category }) => category === name));
  const kinds = present
    .slice(1)
    .map((name) => Float64Array.from(scored, ({ category }) => (category === name ? 1 : 0)));
  const size = splineOf(scored.map(({ coverage }) => coverage));
  const scores = Float64Array.from(scored, ({ score }) => score);
  const one = new Float64Array(scored.length).fill(1);
  const test = (id: string, without: Float64Array[], extra: Float64Array[], note: string): Metric => {
    const metric: Metric = { id, value: null, n: scored.length };
    const found = nestedTest(scores, [one, ...without], extra);
    return isDefined(found)
      ? {
          ...metric,
          value: found.pValue,
          note: `${note} F(${found.extra}, ${found.rest}) = ${found.f.toPrecision(6)}.`,
        }
      : { ...metric, note: `${note} No test: ${found.reason}.` };
  };
  return [
    test(
      'invariance.object.category.adjusted.p',
      size,
      kinds,
      'The effect of the category, with a spline of coverage (4 knots) as covariate.',
    ),
    test(
      'invariance.object.coverage.adjusted.p',
      kinds,
      size,
      'The effect of coverage (a spline with 4 knots), with the category as covariate.',
    ),
  ];
}

/** Harrell's four knots, as quantiles. */
const knotsAt = [0.05, 0.35, 0.65, 0.95];

/** The columns of a restricted (natural) cubic spline: linear beyond the outer knots. */
export function splineOf(values: readonly number[]): Float64Array[] {
  if (values.length === 0) return [];
  const knots = knotsAt.map((share) => quantile(values, share));
  const [last, next] = [knots[3], knots[2]];
  const cube = (x: number): number => Math.max(0, x) ** 3;
  const width = (last - knots[0]) ** 2;
  const bent = knots
    .slice(0, 2)
    .map((knot) =>
      Float64Array.from(
        values,
        (x) =>
          (cube(x - knot) -
            (cube(x - next) * (last - knot)) / (last - next) +
            (cube(x - last) * (next - knot)) / (last - next)) /
          width,
      ),
    );
  return [Float64Array.from(values), ...bent];
}

interface NestedTest {
  f: number;
  /** Degrees of freedom of the tested columns (`extra`) and of the residuals (`rest`). */
  extra: number;
  rest: number;
  pValue: number;
}

/** Tests whether additional columns explain more of the response than chance. */
export function nestedTest(
  response: Float64Array,
  columns: readonly Float64Array[],
  extra: readonly Float64Array[],
): Outcome<NestedTest> {
  const rest = response.length - columns.length - extra.length;
  if (extra.length === 0) return notDefined('there is only one group');
  if (rest < 1) return notDefined('there are too few images');
  if ([...columns, ...extra].some((column) => !column.every(Number.isFinite)))
    return notDefined('the coverage of too many images is the same');
  const fit = factorise([...columns, ...extra]);
  if (!isDefined(fit)) return fit;
  const along = fit.q.map((q) => dot(q, response) ** 2);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const explained = sum(along.slice(columns.length));
  const left = dot(response, response) - sum(along);
  if (!(left > 1e-12 * dot(response, response))) return notDefined('the scores do not vary otherwise');
  const f = explained / extra.length / (left / rest);
  const x = rest / (rest + extra.length * f);
  return { f, extra: extra.length, rest, pValue: betaTails(rest / 2, extra.length / 2, x, 1 - x).lower };
}
