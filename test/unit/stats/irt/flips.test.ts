import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { Draws } from '../../../../src/stats/draws';
import { flipsIn } from '../../../../src/stats/irt/flips';
import { logistic } from '../../../../src/stats/irt/patterns';
import { normalQuantile } from '../../../../src/stats/normal';
import { ascendingOrder } from '../../../../src/stats/order';

/** Twelve evaluators, of which the worst guesses, on items of which the first ones have a wrong label. */
function answers(items: number, wrong: number, options = 2): Float64Array[] {
  const draws = new Draws('flips test', items, wrong, options);
  const difficulty = Float64Array.from({ length: items }, () => normalQuantile(draws.uniform()));
  return Array.from({ length: 12 }, (_, e) =>
    Float64Array.from(difficulty, (own, i) => {
      const isRight = draws.uniform() < logistic((3.5 * e) / 11 - own);
      if (i >= wrong) return isRight ? 1 : 0;
      return !isRight && draws.uniform() < 1 / (options - 1) ? 1 : 0;
    }),
  );
}

describe('wrong labels', () => {
  for (const options of [2, 4])
    it(`are found by the answers of twelve evaluators to items with ${options} captions`, () => {
      const [items, wrong] = [1000, 50];
      const credits = answers(items, wrong, options);
      const found = atOnce(flipsIn({ credits, options: new Uint8Array(items).fill(options) }));
      assert.ok(found.isConverged);
      const first = ascendingOrder(found.probability.map((own) => -own)).slice(0, wrong);
      const precision = first.filter((i) => i < wrong).length / wrong;
      assert.ok(precision >= 0.8, `${precision}`);
      assert.ok(Math.abs(found.share - 0.05) < 0.02, `${found.share}`);
      const strong = found.abilities.indexOf(Math.max(...found.abilities));
      assert.ok(strong >= 9, `${strong}`);
    });

  it('are not suspected if there are none', () => {
    const found = atOnce(flipsIn({ credits: answers(1000, 0), options: new Uint8Array(1000).fill(2) }));
    assert.ok(found.share < 0.01, `${found.share}`);
    assert.ok(found.probability.filter((own) => own > 0.5).length <= 5);
  });

  it('have the same probability for items with the same answers, and none without answers', () => {
    const credits = [
      [1, 1, 1, 0, 1, NaN],
      [1, 1, 1, 0, 0, NaN],
      [1, 1, 0, 0, 0, NaN],
    ].map((own) => Float64Array.from(own));
    const { probability, share } = atOnce(flipsIn({ credits, options: new Uint8Array(6).fill(2) }));
    assert.equal(probability[0], probability[1]);
    assert.ok(probability[3] >= probability[0]);
    assert.ok(Math.abs(probability[5] - share) < 1e-3);
  });
});
