import assert from 'node:assert/strict';
import { interpolated, isMonotone } from '../../../src/parity/monotone';

describe('a monotone function of cosines', () => {
  const cosines = Float64Array.from({ length: 20 }, (_, i) => ((i * 7) % 20) / 20);

  it('is told by the order of the scores, also a reversed one, with ties', () => {
    const of = (f: (cos: number) => number): boolean => isMonotone(cosines, Array.from(cosines, f), 1e-6);
    assert.equal(of(Math.exp), true);
    assert.equal(
      of((cos) => Math.sqrt(2 - 2 * cos)),
      true,
    );
    assert.equal(
      of((cos) => Math.max(cos, 0.3)),
      true,
    );
    assert.equal(
      of((cos) => (cos - 0.5) ** 2),
      false,
    );
    // Differences within rounding are none.
    assert.equal(
      of((cos) => Math.exp(cos) + (cos === 0.5 ? 0.1 : 0)),
      false,
    );
    assert.equal(
      of((cos) => Math.round(20 * cos) / 20 + (cos === 0.5 ? 1e-7 : 0)),
      true,
    );
    // Few different scores are in order by chance.
    assert.equal(
      of((cos) => Math.floor(cos * 9)),
      false,
    );
    assert.equal(
      of((cos) => Math.floor(cos * 10)),
      true,
    );
  });

  it('interpolates each fitted score without itself', () => {
    const target = Array.from(cosines, (cos) => cos * cos);
    const scores = interpolated(cosines, target, 20);
    for (const [i, cos] of cosines.entries()) {
      // Between neighbours, and from every second point at the ends.
      const [low, high] = cos < 0.02 ? [0.05, 0.15] : cos > 0.93 ? [0.8, 0.9] : [cos - 0.05, cos + 0.05];
      const line = low * low + ((high * high - low * low) / (high - low)) * (cos - low);
      assert.ok(Math.abs(scores[i] - line) < 1e-12, `${cos}: ${scores[i]} and ${line}`);
    }
  });

  it('gives other pairs the fitted score of an equal cosine, or one in between', () => {
    const known = Float64Array.of(0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.2, 0.25);
    const scores = interpolated(known, [0, 1, 4, 9, 16, 18, NaN, NaN], 6);
    assert.equal(scores[6], 4);
    assert.ok(Math.abs(scores[7] - 6.5) < 1e-12);
  });
});
