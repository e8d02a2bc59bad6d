/* Intervals that hold together, for several means over the same images. */
import type { Steps } from '../../base/turns/steps';
import { Draws } from '../draws';
import { normalQuantile, normalSurvival } from '../normal';
import { sum } from '../summary';

/**
 * The level that each interval needs so that all hold together at `level`: from the largest of correlated normal values,
 * never wider than Bonferroni's. `residuals` has what each cluster adds to each mean.
 */
export function* simultaneousLevel(
  residuals: readonly Float64Array[],
  { level = 0.95, draws = 20_000, seed = 2025 } = {},
): Steps<number> {
  const factor = rootOf(residuals.map(unit).filter((own) => own !== undefined));
  if (factor.length < 2) return level;
  const random = new Draws('simultaneous', seed);
  const largest = new Float64Array(draws);
  const z = new Float64Array(factor.length);
  for (let d = 0; d < draws; d++) {
    if (d % 256 === 0) yield;
    for (let i = 0; i < z.length; i++) z[i] = normalQuantile(random.uniform());
    for (const row of factor) {
      let value = 0;
      for (let j = 0; j < row.length; j++) value += row[j] * z[j];
      largest[d] = Math.max(largest[d], Math.abs(value));
    }
  }
  const reach = largest.sort()[Math.ceil(level * draws) - 1];
  return Math.min(Math.max(level, 1 - 2 * normalSurvival(reach)), 1 - (1 - level) / factor.length);
}

function unit(values: Float64Array): Float64Array | undefined {
  const length = Math.sqrt(sum(values.map((value) => value ** 2)));
  return length === 0 ? undefined : values.map((value) => value / length);
}

/** The Cholesky factor of the correlations. Vectors that depend on earlier ones have no own column. */
function rootOf(units: readonly Float64Array[]): Float64Array[] {
  const rows: Float64Array[] = [];
  for (const [i, own] of units.entries()) {
    const row = new Float64Array(i + 1);
    for (let j = 0; j <= i; j++) {
      const other = units[j];
      let rest = 0;
      for (let c = 0; c < own.length; c++) rest += own[c] * other[c];
      for (let c = 0; c < j; c++) rest -= row[c] * (i === j ? row[c] : rows[j][c]);
      if (i === j) row[j] = Math.sqrt(Math.max(0, rest));
      else row[j] = rows[j][j] < 1e-7 ? 0 : rest / rows[j][j];
    }
    rows.push(row);
  }
  return rows;
}
