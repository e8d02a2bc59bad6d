import assert from 'node:assert/strict';
import { Random } from '../../../src/base/random';
import { KeySet } from '../../../src/bench/keySet';
import { KeyIndex } from '../../../src/bench/store/keyIndex';

describe('KeyIndex', () => {
  it('finds every entry under its key, equal keys in insertion order, and no removed entry', () => {
    const random = new Random('index');
    const index = new KeyIndex();
    const expected = new Map<string, number[]>();
    for (let i = 0; i < 150_000; i++) {
      // There are few distinct keys, so many entries collide.
      const [low, high] = [Math.imul(random.below(5000), 0x9e3779b1) >>> 0, random.below(20)];
      index.add(low, high, i % 7, i * 8, i);
      const name = `${low} ${high}`;
      const list = expected.get(name);
      if (list === undefined) expected.set(name, [i]);
      else list.push(i);
      if (i % 11 === 0) {
        index.forget(i);
        expected.get(name)!.pop();
      }
    }
    for (const [name, entries] of [...expected].slice(0, 20_000)) {
      const [low, high] = name.split(' ').map(Number);
      assert.deepEqual(index.find(low, high), entries);
      for (const entry of entries) {
        assert.deepEqual(index.location(entry), { segment: entry % 7, offset: entry * 8, length: entry });
      }
    }
    assert.deepEqual(index.find(1, 99), []);
  });

  it('takes at most 32 bytes per entry at any size', () => {
    const random = new Random('bytes');
    for (const count of [419_431, 838_860, 838_861, 1_500_000]) {
      const index = new KeyIndex();
      for (let i = 0; i < count; i++) index.add(random.bits(), random.bits(), 0, i * 8, 1536);
      const each = index.bytes / count;
      assert.ok(each <= 32, `${each} bytes an entry at ${count}`);
    }
  });
});

describe('KeySet', () => {
  it('counts each key once', () => {
    const random = new Random('set');
    const set = new KeySet();
    const keys = Array.from({ length: 20_000 }, () => {
      const key = Buffer.alloc(32);
      key.writeUInt32LE(random.bits(), 0);
      key.writeUInt32LE(random.bits(), 4);
      return key;
    });
    keys.push(Buffer.alloc(32));
    for (const key of keys) assert.equal(set.add(key), true);
    for (const key of keys) assert.equal(set.add(key), false);
    assert.equal(set.size, 20_001);
  });
});
