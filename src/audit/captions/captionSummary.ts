import { bcaInterval, type BootstrapInput } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { swapTest } from '../../stats/swapTest';

/** The scores of one metric on one or two systems' captions of the same images. */
export interface Column {
  id: string;
  /** Each system's scores, with NaN for skipped captions. */
  systems: Float64Array[];
  /** The corpus score, if it is not the mean of the scores. `rows[i]` is a caption of system `from(i)`. */
  corpus?: (rows: ArrayLike<number>, from: (i: number) => number) => number;
}

export interface SystemScore {
  value: number;
  ci?: readonly [number, number];
}

export interface CaptionMetric {
  id: string;
  /** Images with a score for every system. */
  n: number;
  systems: SystemScore[];
  /** The first system minus the second, with the p value of a randomisation test. */
  difference?: SystemScore & { p: number };
}

/** Fewer than usual, because every resample scores the whole corpus again. */
const corpusResamples = 2000;

export function summarise(column: Column, seed: number): CaptionMetric {
  const { id, systems } = column;
  const rows: number[] = [];
  systems[0].forEach((_, row) => {
    if (systems.every((scores) => !Number.isNaN(scores[row]))) rows.push(row);
  });
  const metric: CaptionMetric = {
    id,
    n: rows.length,
    systems: systems.map((_, system) => scored(sampleOf(column, rows, seed, [system]))),
  };
  if (systems.length !== 2) return metric;
  const difference = scored(sampleOf(column, rows, seed, [0, 1]));
  return { ...metric, difference: { ...difference, p: swapped(column, rows, seed) } };
}

/** The scores to resample: of one system, or the difference of two. */
function sampleOf(
  { systems, corpus }: Column,
  rows: readonly number[],
  seed: number,
  [first, second]: [number, number?],
): BootstrapInput {
  if (corpus !== undefined)
    return {
      statistic: (drawn) => {
        const own = drawn.map((i) => rows[i]);
        return corpus(own, () => first) - (second === undefined ? 0 : corpus(own, () => second));
      },
      rows: rows.length,
      seed,
      resamples: corpusResamples,
    };
  return {
    statistic: 'mean',
    values: rows.map((row) => systems[first][row] - (second === undefined ? 0 : systems[second][row])),
    seed,
  };
}

function scored(input: BootstrapInput): SystemScore {
  const value =
    'rows' in input
      ? input.statistic(Uint32Array.from({ length: input.rows }, (_, i) => i))
      : Array.from(input.values).reduce((sum, one) => sum + one, 0) / input.values.length;
  const interval = bcaInterval(input);
  return isDefined(interval) ? { value, ci: [interval.low, interval.high] } : { value };
}

/** The p value of the randomisation test of two systems. */
export function swapped({ systems, corpus }: Column, rows: readonly number[], seed: number): number {
  if (corpus !== undefined)
    return swapTest(rows.length, (swap) => corpus(rows, (i) => swap[i]) - corpus(rows, (i) => 1 - swap[i]), {
      rounds: corpusResamples - 1,
      seed,
    });
  const differences = rows.map((row) => systems[0][row] - systems[1][row]);
  return swapTest(
    rows.length,
    (swap) => differences.reduce((sum, one, i) => sum + (swap[i] === 1 ? -one : one), 0) / rows.length,
    { seed },
  );
}
