import { eachOf, type Steps } from '../../base/turns/steps';
import { clusteredMeanTest } from '../../stats/decisions/clusterTest';
import { isDefined } from '../../stats/outcome';
import { plainMean } from '../../stats/summary';
import { swapTest } from '../../stats/swapTest';

/** The scores of one metric for one or two systems on the same images. */
export interface Column {
  id: string;
  /** The image of each row. An image has several rows if all its candidate captions are scored. */
  images: readonly string[];
  /** Each system's scores. NaN marks a skipped caption. */
  systems: Float64Array[];
  /** Creates an empty corpus. Absent if a corpus score is the mean of its captions' scores. */
  corpus?: () => Corpus;
  /** The lowest and highest possible score, if the metric has both. */
  range?: readonly [number, number];
}

/** A set of captions with a joint score, such as BLEU. */
export interface Corpus {
  /** Adds a caption, or removes it if `times` is −1. */
  add: (system: number, row: number, times: 1 | -1) => void;
  score: () => number;
}

export interface SystemScore {
  value: number;
  ci?: readonly [number, number];
}

export interface CaptionMetric {
  id: string;
  /** The number of images with a score for every system. */
  n: number;
  /** The number of captions, if images have several. */
  captions?: number;
  systems: SystemScore[];
  /** The first system minus the second, with an interval and a randomisation test's p value. */
  difference?: SystemScore & { p: number };
}

/** The rounds of a randomisation test. There are fewer than usual, because every round scores the whole corpus. */
const corpusRounds = 1999;

export function* summarise(column: Column, seed: number): Steps<CaptionMetric> {
  const { id, systems } = column;
  const rows: number[] = [];
  systems[0].forEach((_, row) => {
    if (systems.every((scores) => !Number.isNaN(scores[row]))) rows.push(row);
  });
  const n = new Set(rows.map((row) => column.images[row])).size;
  const metric: CaptionMetric = {
    id,
    n,
    ...(n < rows.length ? { captions: rows.length } : {}),
    systems: yield* eachOf(systems, (_, system) => scored(column, rows, system)),
  };
  return systems.length === 2 ? { ...metric, difference: yield* differenceOf(column, rows, seed) } : metric;
}

/** A system's score. The interval comes from a t-test, clustered by image, that corrects for skewness. */
function* scored(column: Column, rows: readonly number[], system: number): Steps<SystemScore> {
  const { images, systems, corpus, range: [lowest, highest] = [-Infinity, Infinity] } = column;
  const scores = rows.map((row) => systems[system][row]);
  const { value, parts } =
    corpus === undefined
      ? { value: plainMean(scores), parts: scores }
      : yield* partsOf(corpus(), rows, system);
  yield;
  const clusters = rows.map((row) => images[row]);
  const test = clusteredMeanTest(parts, clusters, { correctsSkewness: true });
  return isDefined(test)
    ? { value, ci: [Math.max(lowest, test.low), Math.min(highest, test.high)] }
    : { value };
}

/** The corpus score, and each caption's pseudo-value of the jackknife, shifted to have this mean. */
function* partsOf(
  corpus: Corpus,
  rows: readonly number[],
  system: number,
): Steps<{ value: number; parts: number[] }> {
  for (const row of rows) corpus.add(system, row, 1);
  const value = corpus.score();
  const without = yield* eachOf(rows, function* (row): Steps<number> {
    yield;
    corpus.add(system, row, -1);
    const rest = corpus.score();
    corpus.add(system, row, 1);
    return rest;
  });
  const centre = plainMean(without);
  return { value, parts: without.map((rest) => value + (rows.length - 1) * (centre - rest)) };
}

function* differenceOf(
  { systems, corpus }: Column,
  rows: readonly number[],
  seed: number,
): Steps<SystemScore & { p: number }> {
  const apart = Float64Array.from(rows, (row) => systems[0][row] - systems[1][row]);
  const { estimate, ci, pValue } = yield* swapTest(
    rows.length,
    corpus === undefined
      ? (swap) => {
          let sum = 0;
          for (let i = 0; i < apart.length; i++) sum += apart[i] * (1 - 2 * swap[i]);
          return sum / apart.length;
        }
      : (swap) => {
          const [first, second] = [corpus(), corpus()];
          for (let i = 0; i < rows.length; i++) {
            first.add(swap[i], rows[i], 1);
            second.add(1 - swap[i], rows[i], 1);
          }
          return first.score() - second.score();
        },
    { seed, ...(corpus === undefined ? {} : { rounds: corpusRounds }) },
  );
  return { value: estimate, ...(ci === undefined ? {} : { ci }), p: pValue };
}
