import assert from 'node:assert/strict';
import { rounded } from '../../../../src/perturb/image/pixels';

/** The next larger or smaller number that can be represented. */
function beside(value: number, step: 1n | -1n): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += step;
  return new Float64Array(bits.buffer)[0];
}

describe('rounding to a byte', () => {
  it('is Math.round, also next to halves and whole numbers', () => {
    for (let half = 0; half <= 510; half++) {
      const value = half / 2;
      const near = half === 0 ? [0] : [beside(value, -1n), value, beside(value, 1n)];
      for (const one of near) assert.equal(rounded(one), Math.round(one), String(one));
    }
    assert.equal(rounded(0.49999999999999994), 0);
    for (let i = 0; i < 1e5; i++) assert.equal(rounded((255 * i) / 99_991), Math.round((255 * i) / 99_991));
  });
});
