import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../../src/base/turns/steps';
import { lgip } from '../../../../src/probe/lgip/lgip';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import type { Slice } from '../../../../src/probe/metric';

const folder = join(__dirname, '../../../oracle/lgip');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Expected {
  figures: { id: string; slice: Record<string, string>; value: number | null; n: number; ties?: number }[];
}

for (const [name, asInPaper] of [
  ['figures.json', false],
  ['figuresAsInPaper.json', true],
] as const)
  describe(`LGIP against a second implementation in Python: ${name}`, () => {
    const summary = lgip.summary({
      dataset: 'oracle',
      seed: 42,
      options: { asInPaper },
      scores: ['image-text', 'text-text'],
    });
    for (const line of read('rows.jsonl').trim().split('\n')) summary.add(JSON.parse(line) as LgipRow);
    const { metrics } = atOnce(summary.finish());
    const { figures } = JSON.parse(read(name)) as Expected;
    const keyOf = (id: string, slice: Slice = {}) =>
      JSON.stringify([id, Object.entries(slice).sort(([a], [b]) => (a < b ? -1 : 1))]);

    it('has exactly the same metrics', () => {
      const defined = metrics.filter(({ n }) => n > 0).map(({ id, slice }) => keyOf(id, slice));
      assert.deepEqual(defined.sort(), figures.map(({ id, slice }) => keyOf(id, slice)).sort());
      assert.ok(figures.length > 60);
    });

    it('has the same values, counts and ties', () => {
      let ties = 0;
      for (const expected of figures) {
        const key = keyOf(expected.id, expected.slice);
        const metric = metrics.find(({ id, slice }) => keyOf(id, slice) === key)!;
        if (expected.value === null) assert.equal(metric.value, null, key);
        else
          assert.ok(
            metric.value !== null && Math.abs(metric.value - expected.value) < 1e-12,
            `${key}: ${metric.value} is not ${expected.value}`,
          );
        assert.equal(metric.n, expected.n, key);
        if (expected.ties !== undefined && !expected.id.startsWith('lgip.coverage')) {
          assert.equal(metric.ties, expected.ties, key);
          ties += expected.ties;
        }
      }
      assert.ok(ties > 10, 'the rows hold ties');
    });
  });
