import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../src/base/turns/steps';
import type { Slice } from '../../../src/probe/metric';
import type { VislaRow } from '../../../src/probe/visla/row';
import { visla } from '../../../src/probe/visla/visla';
import { say } from '../../../src/base/say';

const folder = join(__dirname, '../../oracle/visla');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Expected {
  figures: { id: string; slice: Record<string, string>; value: number | null; n: number; ties?: number }[];
}

describe('VISLA against a second implementation in Python', () => {
  const summary = visla.summary({
    dataset: 'oracle',
    seed: 42,
    options: {},
    scores: ['text-text', 'image-text'],
  });
  for (const line of read('rows.jsonl').trim().split('\n')) summary.add(JSON.parse(line) as VislaRow);
  const { metrics, warnings } = atOnce(summary.finish());
  const { figures } = JSON.parse(read('figures.json')) as Expected;
  const keyOf = (id: string, slice: Slice = {}) => JSON.stringify([id, slice]);

  it('has exactly the same metrics', () => {
    // test/unit/probe/benchmark/beside/besideBlind.test.ts tests the models without the image.
    const own = metrics.filter(({ n, id }) => n > 0 && !/blind/i.test(id));
    const defined = own.map(({ id, slice }) => keyOf(id, slice));
    assert.deepEqual(defined.sort(), figures.map(({ id, slice }) => keyOf(id, slice)).sort());
    assert.ok(figures.length > 60);
    assert.deepEqual(warnings[0], say('visla.tripletsWithoutImage', 8));
  });

  it('has the same values, counts and ties', () => {
    let ties = 0;
    for (const expected of figures) {
      const key = keyOf(expected.id, expected.slice);
      const metric = metrics.find(({ id, slice }) => keyOf(id, slice) === key)!;
      if (expected.value === null) assert.equal(metric.value, null, key);
      else
        assert.ok(
          Math.abs(metric.value! - expected.value) < 1e-12,
          `${key}: ${metric.value} ${expected.value}`,
        );
      assert.equal(metric.n, expected.n, key);
      assert.equal(metric.ties, expected.ties, key);
      ties += expected.ties ?? 0;
    }
    assert.ok(ties > 5, 'the rows hold ties');
  });

  it('divides the triplets of both settings into four groups that cover all', () => {
    const of = (id: string) => metrics.find((metric) => metric.id === id)!;
    const ids = ['visla.both', 'visla.both.wrong', 'visla.both.onlyI2t', 'visla.both.onlyT2t'];
    assert.ok(Math.abs(ids.reduce((sum, id) => sum + of(id).value!, 0) - 1) < 1e-12);
    for (const id of ids) assert.deepEqual([of(id).n, of(id).value! > 0], [32, true], id);
  });
});
