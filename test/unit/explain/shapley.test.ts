import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random';
import { type Coalition, exactPlan, mostExact, sampledPlan } from '../../../src/explain/shapley';

interface Game {
  players: number;
  values: number[];
  shapley: number[];
}

const { games } = JSON.parse(readFileSync(join(__dirname, '../../oracle/explain/shap.json'), 'utf8')) as {
  games: Game[];
};

/** Bit i of an index says whether player i takes part. */
const indexOf = (coalition: Coalition): number =>
  coalition.reduce((index, has, i) => index + (has ? 2 ** i : 0), 0);

describe('Shapley values', () => {
  it('are those of the exact explainer of shap', () => {
    assert.ok(games.length > 4);
    for (const { players, values, shapley } of games) {
      const { coalitions, exact, solve } = exactPlan(players);
      assert.ok(exact);
      const found = solve(coalitions.map((coalition) => values[indexOf(coalition)]));
      for (const [i, { value, ci }] of found.entries()) {
        assert.ok(Math.abs(value - shapley[i]) <= 1e-9, `${value} instead of ${shapley[i]}`);
        assert.equal(ci, undefined);
      }
    }
  });

  it('sum to the value of all players minus the value of none', () => {
    const random = new Random('efficiency');
    for (let players = 1; players <= mostExact; players++) {
      const { coalitions, solve } = exactPlan(players);
      const values = coalitions.map(() => random.uniform() * 200 - 100);
      const total = solve(values).reduce((sum, { value }) => sum + value, 0);
      assert.ok(Math.abs(total - (values[values.length - 1] - values[0])) <= 1e-9);
    }
  });

  it('of sampled orders approach the exact ones, and sum to the same', () => {
    const { players, values, shapley } = games[games.length - 1];
    const { coalitions, exact, permutations, solve } = sampledPlan(players, 4000, new Random('orders'));
    assert.equal(exact, false);
    assert.equal(permutations, 4000);
    // 4,000 orders visit most of the 256 coalitions, but each only once.
    assert.ok(coalitions.length <= values.length);
    const found = solve(coalitions.map((coalition) => values[indexOf(coalition)]));
    for (const [i, { value, ci }] of found.entries()) {
      assert.ok(ci![1] - ci![0] < 0.1);
      assert.ok(Math.abs(value - shapley[i]) < 0.1, `${value} instead of ${shapley[i]}`);
    }
    const total = found.reduce((sum, { value }) => sum + value, 0);
    assert.ok(Math.abs(total - (values[values.length - 1] - values[0])) <= 1e-9);
  });

  it('are sampled with the reverse of each order', () => {
    // In an order and its reverse, each player of this game contributes once to the first place and once to the last.
    const first = (coalition: Coalition): number => Number(coalition.some(Boolean));
    const { coalitions, solve } = sampledPlan(2, 2, new Random('reverse'));
    for (const { value } of solve(coalitions.map(first))) assert.equal(value, 0.5);
  });
});
