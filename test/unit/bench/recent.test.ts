import assert from 'node:assert/strict';
import { Random } from '../../../src/base/random';
import { Recent } from '../../../src/bench/recent';
import type { Outcome } from '../../../src/base/outcome';
import type { Value } from '../../../src/bench/value';

const score = (value: number): Outcome<Value> => ({ ok: true, value: { kind: 'score', score: value } });

describe('Recent', () => {
  it('evicts the least recently used results, and no more than needed', () => {
    const random = new Random('recent');
    // The memory has space for fifty scores.
    const recent = new Recent(50 * 208);
    let known: string[] = [];
    for (let turn = 0; turn < 5000; turn++) {
      const key = String(random.below(120));
      if (random.uniform() < 0.5) {
        recent.set(key, score(turn));
        known = [...known.filter((other) => other !== key), key].slice(-50);
      } else {
        assert.equal(recent.get(key) !== undefined, known.includes(key), `turn ${turn}`);
        if (known.includes(key)) known = [...known.filter((other) => other !== key), key];
      }
    }
  });

  it('keeps the latest result, however large', () => {
    const recent = new Recent(10);
    recent.set('a', score(1));
    recent.set('b', score(2));
    assert.equal(recent.get('a'), undefined);
    assert.deepEqual(recent.get('b'), score(2));
  });
});
