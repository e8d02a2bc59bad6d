import assert from 'node:assert/strict';
import { createKernel } from '../../../../../src/evaluator/native/ranking/kernel';
import { Random } from '../../../../../src/base/random';

describe('the ranking kernel', () => {
  const random = new Random('kernel');
  const kernel = createKernel(4096);
  const floats = new Float32Array(kernel.memory.buffer, 0, 200);
  const near = new Int32Array(kernel.memory.buffer, 2048, 64);

  it('counts greater entries and lists the groups between', () => {
    for (let turn = 0; turn < 50; turn++) {
      for (let i = 0; i < 200; i++) floats[i] = Math.fround(Math.floor(random.uniform() * 20) / 10 - 1);
      const [low, high] = [random.uniform() - 0.8, 0]
        .map((value, at, all) => (at === 0 ? value : all[0] + 0.3))
        .map(Math.fround);
      const greater = kernel.scan(16, 800, low, high, near.byteOffset);
      const part = floats.subarray(4, 200);
      assert.equal(greater, part.filter((value) => value > high).length);
      const groups: number[] = [];
      for (let i = 0; i < part.length; i += 4) {
        if (part.subarray(i, i + 4).some((value) => value > low && !(value > high))) groups.push(16 + 4 * i);
      }
      assert.deepEqual([...near.subarray(1, 1 + near[0])], groups);
    }
  });

  it('finds the greatest of each part and of the rest, and ignores NaN', () => {
    const peaks = new Float32Array(kernel.memory.buffer, 1024, 7);
    for (let i = 0; i < 200; i++) floats[i] = random.uniform() * 2 - 1;
    floats[9] = NaN;
    for (let i = 64; i < 96; i++) floats[i] = NaN;
    peaks.fill(7);
    kernel.peaks(0, 4 * 180, 128, 1024);
    const expected = Array.from({ length: 6 }, (_, part) =>
      Math.max(
        ...floats.subarray(32 * part, Math.min(180, 32 * part + 32)).filter((value) => !Number.isNaN(value)),
      ),
    );
    assert.deepEqual([...peaks], [...expected, 7]);
    assert.equal(expected[2], -Infinity);
  });

  it('computes products in float64', () => {
    for (let i = 0; i < 200; i++) floats[i] = random.uniform() - 0.5;
    const dot = kernel.dot(0, 160, 320);
    let expected = 0;
    for (let i = 0; i < 40; i++) expected += floats[i] * floats[80 + i];
    assert.ok(Math.abs(dot - expected) < 1e-15);
  });
});
