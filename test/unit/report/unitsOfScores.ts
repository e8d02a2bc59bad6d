/* Evaluators that differ only in the units of their scores, and what a comparison of them must have in common. */
import assert from 'node:assert/strict';
import { type PairOfReports, pairUpReports } from '../../../src/report/lineUp';
import { LeftOutRows } from '../../../src/report/rowChecks';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

export const maps = {
  plain: (score: number): number => score,
  times: (score: number): number => 2.5 * score,
  plus: (score: number): number => score + 3,
  small: (score: number): number => 0.01 * score - 1,
  curved: (score: number): number => 1 / (1 + Math.exp(-8 * (score - 0.25))),
};

export function paired(both: readonly WrittenReport[]): Promise<PairOfReports[]> {
  return pairUpReports(
    both.map(({ report }) => report),
    both.map(({ path }) => path),
    both.map(() => new LeftOutRows()),
  );
}

export function near(a: number | undefined, b: number | undefined, what: string): void {
  if (a === undefined || b === undefined) return assert.equal(a, b, what);
  assert.ok(Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(b)), `${what}: ${a} and ${b}`);
}

export function isSame(mapped: readonly PairOfReports[], plain: readonly PairOfReports[]): void {
  assert.ok(plain.length > 0);
  assert.deepEqual(
    mapped.map(({ metric, verdict, n, images }) => [metric, verdict, n, images]),
    plain.map(({ metric, verdict, n, images }) => [metric, verdict, n, images]),
  );
  for (const [i, one] of mapped.entries()) {
    near(one.difference, plain[i].difference, `${one.metric}, difference`);
    near(one.pValue, plain[i].pValue, `${one.metric}, p`);
    near(one.ci?.[0], plain[i].ci?.[0], `${one.metric}, low`);
    near(one.ci?.[1], plain[i].ci?.[1], `${one.metric}, high`);
  }
}
