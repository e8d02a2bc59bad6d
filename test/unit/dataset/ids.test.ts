import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeySet } from '../../../src/dataset/ids';

describe('the set of ids', () => {
  it('agrees with a set of texts', () => {
    const id = fc.oneof(
      fc.string(),
      fc.nat({ max: 200 }).map(String),
      fc.constantFrom('00', '0', '007', '7', '-1', '99999999', '100000000', '1e3'),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 400 }), (ids) => {
        const ours = new KeySet();
        const theirs = new Set<string>();
        for (const text of ids) {
          assert.equal(ours.add(text), !theirs.has(text));
          theirs.add(text);
        }
        assert.equal(ours.size, theirs.size);
      }),
    );
  });

  it('grows, and contains each of 300,000', () => {
    const set = new KeySet();
    for (let i = 0; i < 300_000; i++) assert.ok(set.add(`picture ${i}.jpg`));
    for (let i = 0; i < 300_000; i += 7) assert.ok(!set.add(`picture ${i}.jpg`));
    assert.equal(set.size, 300_000);
  });
});
