import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { largest } from '../../../../src/base/extent';
import { atOnce } from '../../../../src/base/turns/steps';
import { logisticRidge, type SparseRows } from '../../../../src/stats/regression/logistic';

interface Case {
  rows: number[][];
  width: number;
  penalty: number;
  weights: number[];
  coefficients: number[];
}

const { cases } = JSON.parse(
  readFileSync(join(__dirname, '../../../oracle/logistic/expected.json'), 'utf8'),
) as { cases: Case[] };

function sparse(rows: readonly (readonly number[])[], width: number): SparseRows {
  const entries = rows.map((row) => [...row.entries()].filter(([, value]) => value !== 0));
  const starts = [0];
  for (const own of entries) starts.push(starts[starts.length - 1] + own.length);
  return {
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(entries.flat(), ([column]) => column),
    values: Float64Array.from(entries.flat(), ([, value]) => value),
    width,
  };
}

describe('logistic regression', () => {
  for (const { rows, width, penalty, weights, coefficients } of cases)
    it(`has the coefficients of scikit-learn for ${rows.length} rows of ${width} columns`, () => {
      const fit = { weights: Float64Array.from(weights), penalty, tolerance: 1e-10 };
      const found = atOnce(logisticRidge(sparse(rows, width), fit));
      const apart = largest(coefficients.map((value, c) => Math.abs(value - found[c])));
      assert.ok(apart < 1e-7, `${apart}`);
      assert.ok(largest(coefficients) > 0.3);
    });

  it('is zero without rows, and for rows that cancel', () => {
    const fit = { penalty: 1 };
    assert.deepEqual(
      [...atOnce(logisticRidge(sparse([], 2), { ...fit, weights: new Float64Array(0) }))],
      [0, 0],
    );
    const both = sparse([[1], [-1]], 1);
    const [found] = atOnce(logisticRidge(both, { ...fit, weights: Float64Array.of(1, 1) }));
    assert.ok(Math.abs(found) < 1e-12);
  });
});
