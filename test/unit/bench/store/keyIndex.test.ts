import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scratch } from '../../../../src/base/files/scratch';
import { Random } from '../../../../src/base/random';
import { KeySet } from '../../../../src/bench/keySet';
import { KeyIndex } from '../../../../src/bench/store/keyIndex';

describe('KeyIndex', () => {
  let folder: string;
  let scratch: Scratch;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-index-'));
    scratch = new Scratch(folder);
  });
  afterEach(async () => {
    scratch.close();
    await rm(folder, { recursive: true });
  });

  for (const [where, most] of [
    ['in memory', undefined],
    ['on disk', 1000],
    ['on disk, in one block', 149_999],
  ] as const)
    it(`finds the oldest entry of a key and no forgotten one: ${where}`, () => {
      const random = new Random('index');
      const index = most === undefined ? new KeyIndex() : new KeyIndex(scratch, most);
      const expected = new Map<string, number[]>();
      for (let i = 0; i < 150_000; i++) {
        // There are fewer keys than entries, so that many entries have the same key.
        const [low, high] = [Math.imul(random.below(5000), 0x9e3779b1) >>> 0, random.below(20)];
        index.add(low, high, i % 7, i * 8, i);
        const name = `${low} ${high}`;
        const list = expected.get(name);
        if (list === undefined) expected.set(name, [i]);
        else list.push(i);
        if (i % 11 === 0) {
          index.forget({ segment: i % 7, offset: i * 8, length: i });
          expected.get(name)!.pop();
        }
      }
      assert.equal(index.size, 150_000);
      for (const [name, entries] of [...expected].slice(0, 5000)) {
        const [low, high] = name.split(' ').map(Number);
        for (const entry of entries) {
          const place = { segment: entry % 7, offset: entry * 8, length: entry };
          assert.deepEqual(index.find(low, high), place);
          index.forget(place);
        }
        assert.equal(index.find(low, high), undefined);
      }
      assert.equal(index.find(1, 99), undefined);
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

  it('takes at most 2.5 bytes of memory for each entry on disk', () => {
    const random = new Random('disk');
    const index = new KeyIndex(scratch);
    const measured: number[] = [];
    for (let i = 0; i <= 3 << 20; i++) {
      if (i % (1 << 20) === 1) measured.push(index.bytes);
      index.add(random.bits(), random.bits(), 0, i * 8, 1536);
    }
    for (let i = 2; i < measured.length; i++) {
      const each = (measured[i] - measured[i - 1]) / (1 << 20);
      assert.ok(each > 0 && each <= 2.5, `${each} bytes an entry`);
    }
  });

  it('keeps its entries in memory if they cannot be written', () => {
    const index = new KeyIndex(new Scratch(join(process.execPath, 'no folder')), 100);
    for (let i = 0; i < 1000; i++) index.add(i, i, 1, i * 8, 12);
    for (let i = 0; i < 1000; i++)
      assert.deepEqual(index.find(i, i), { segment: 1, offset: i * 8, length: 12 });
  });

  it('leaves no file behind', async () => {
    const index = new KeyIndex(scratch, 100);
    for (let i = 0; i < 1000; i++) index.add(i, i, 1, i * 8, 12);
    assert.deepEqual(index.find(5, 5), { segment: 1, offset: 40, length: 12 });
    assert.deepEqual(await readdir(folder), []);
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
