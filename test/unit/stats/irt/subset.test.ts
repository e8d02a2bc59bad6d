import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { Draws } from '../../../../src/stats/draws';
import { chosenItems, testSizes } from '../../../../src/stats/irt/subset';

const lists = (...rows: string[]): Float64Array[] => rows.map((row) => Float64Array.from(row, Number));

describe('a subset of items', () => {
  it('has an item of each difficulty, the one that tells evaluators apart', () => {
    // Items 0 and 1: all wrong; 2 and 3: one is right, of 3 the best one; 4 and 5: all right.
    const credits = lists('001011', '000011', '000111');
    credits.push(...lists('000011'));
    const [first, second, third] = chosenItems([...lists('000111111'), ...lists('001000111')], 3);
    assert.deepEqual([first, second, third], [0, 3, 6]);
    const chosen = chosenItems(credits, 3);
    assert.equal(chosen.length, 3);
    assert.ok(chosen[0] < 2 && chosen[2] > 3);
  });

  it('has the error of the items that are chosen by others', () => {
    // Evaluator e is right about e of ten items, each of which is there ten times: a subset of ten is exact.
    const credits = Array.from({ length: 8 }, (_, e) =>
      Float64Array.from({ length: 100 }, (__, i) => (i % 10 <= e ? 1 : 0)),
    );
    const [found] = atOnce(testSizes(credits, { seed: 1, sizes: [10], splits: 5 }));
    assert.ok(found.chosen.tau > 0.75, `${found.chosen.tau}`);
    assert.ok(found.chosen.error < found.random.error);
    const [same] = atOnce(testSizes(credits, { seed: 1, sizes: [100], splits: 5, randomChoices: 3 }));
    assert.deepEqual(
      [same.chosen, same.random, same.pValue],
      [{ tau: 1, error: 0 }, { tau: 1, error: 0 }, 1],
    );
  });

  it('is not better than random items if items do not differ', () => {
    const draws = new Draws('subset test');
    const credits = Array.from({ length: 12 }, (_, e) =>
      Float64Array.from({ length: 400 }, () => (draws.uniform() < 0.5 + 0.03 * e ? 1 : 0)),
    );
    const tested = atOnce(testSizes(credits, { seed: 2, sizes: [50, 200] }));
    for (const { pValue, chosen, random } of tested) {
      assert.ok(pValue > 0.05, `${pValue}`);
      assert.ok(Math.abs(chosen.tau - random.tau) < 0.2);
    }
    assert.ok(tested[1].random.tau > tested[0].random.tau);
    assert.deepEqual(atOnce(testSizes(credits, { seed: 2, sizes: [50, 200] })), tested);
  });
});
