import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../src/base/turns/steps';
import type { ExplainRow } from '../../../../src/probe/explain/row';
import { ExplainSummary } from '../../../../src/probe/explain/summary';
import type { Metric } from '../../../../src/probe/metric';

const folder = join(__dirname, '../../../oracle/influence');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

type Expected = Pick<Metric, 'id' | 'value' | 'n' | 'ci' | 'slice'>;

describe('the influence of words against a second implementation in Python', () => {
  const summary = new ExplainSummary(10);
  for (const line of read('rows.jsonl').trim().split('\n')) summary.add(JSON.parse(line) as ExplainRow);
  const { metrics } = atOnce(summary.finish());
  const { figures } = JSON.parse(read('figures.json')) as { figures: Expected[] };
  const keyOf = ({ id, slice = {} }: Pick<Metric, 'id' | 'slice'>): string => JSON.stringify([id, slice]);

  it('has the same metrics in the same order', () => {
    assert.deepEqual(metrics.map(keyOf), figures.map(keyOf));
  });

  it('has the same values, counts, p values and intervals, also those from the same resamples', () => {
    const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1e-3, Math.abs(b));
    for (const [i, expected] of figures.entries()) {
      const { value, n, ci } = metrics[i];
      const key = keyOf(expected);
      if (expected.value === null) assert.equal(value, null, key);
      else assert.ok(isNear(value!, expected.value), `${key}: ${value} is not ${expected.value}`);
      assert.equal(n, expected.n, key);
      assert.equal(ci === undefined, expected.ci === undefined, key);
      for (const [at, end] of (expected.ci ?? []).entries())
        assert.ok(isNear(ci![at], end), `${key}: ${ci![at]} is not ${end}`);
    }
    assert.equal(figures.filter(({ ci }) => ci !== undefined).length, 54);
  });
});
