import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../src/base/turns/steps';
import type { LongRow } from '../../../../src/probe/long/row';
import { LongSummary } from '../../../../src/probe/long/summary';
import type { Metric, Slice } from '../../../../src/probe/metric';

const folder = join(__dirname, '../../../oracle/long');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Expected extends Pick<Metric, 'id' | 'n' | 'ties' | 'ci'> {
  slice: Slice;
  value: number;
}

describe('long captions against a second implementation in Python', () => {
  const summary = new LongSummary();
  for (const line of read('rows.jsonl').trim().split('\n')) summary.add(JSON.parse(line) as LongRow);
  const metrics = atOnce(summary.finish()).metrics.filter(({ n }) => n > 0);
  const { figures } = JSON.parse(read('figures.json')) as { figures: Expected[] };
  const keyOf = ({ id, slice = {} }: Pick<Metric, 'id' | 'slice'>): string => JSON.stringify([id, slice]);

  it('has exactly the same metrics', () => {
    assert.deepEqual(metrics.map(keyOf).sort(), figures.map(keyOf).sort());
    assert.ok(figures.length > 25);
  });

  it('has the same values, counts, ties and intervals of slopes', () => {
    for (const expected of figures) {
      const key = keyOf(expected);
      const metric = metrics.find((one) => keyOf(one) === key)!;
      const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-10 * Math.max(1, Math.abs(b));
      assert.ok(isNear(metric.value!, expected.value), `${key}: ${metric.value} is not ${expected.value}`);
      assert.equal(metric.n, expected.n, key);
      if (expected.ties !== undefined) assert.equal(metric.ties, expected.ties, key);
      for (const [at, end] of (expected.ci ?? []).entries())
        assert.ok(isNear(metric.ci![at], end), `${key}: ${metric.ci![at]} is not ${end}`);
    }
    assert.ok(figures.some(({ ties = 0 }) => ties > 10));
  });
});
