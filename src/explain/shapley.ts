/* Shapley values of a game: how much each player contributes to the value of all players together. */
import { studentQuantile } from '../stats/distributions';
import { mean, standardDeviation, sum } from '../stats/summary';
import type { Random } from '../base/random';
import { valueIn } from '../base/lists';

/** Up to this many players, all 2^n coalitions are valued. */
export const mostExact = 10;

/** A coalition: whether each player takes part. */
export type Coalition = readonly boolean[];

export interface Contribution {
  value: number;
  /** A 95 % interval of a sampled value. Absent if the value is exact. */
  ci?: [number, number];
}

/** The coalitions to value, and what follows from their values, which are in the same order. */
export interface Plan {
  coalitions: readonly Coalition[];
  exact: boolean;
  /** The number of orders that were drawn. Absent if the values are exact. */
  permutations?: number;
  solve(values: readonly number[]): Contribution[];
}

/** All coalitions. Coalition `c` has player `i` if bit `i` of `c` is set. */
export function exactPlan(players: number): Plan {
  const size = 2 ** players;
  const coalitions = Array.from({ length: size }, (_, c) =>
    Array.from({ length: players }, (_bit, i) => ((c >> i) & 1) === 1),
  );
  /** The weight of a coalition of `s` other players: s! (n − s − 1)! / n!. */
  const weights = Array.from({ length: players }, (_, s) => 1 / (players * choose(players - 1, s)));
  const sizes = coalitions.map((coalition) => coalition.filter(Boolean).length);
  return {
    coalitions,
    exact: true,
    solve: (values) =>
      Array.from({ length: players }, (_, i) => {
        const parts: number[] = [];
        for (let c = 0; c < size; c++)
          if (!coalitions[c][i]) parts.push(weights[sizes[c]] * (values[c | (1 << i)] - values[c]));
        return { value: sum(parts) };
      }),
  };
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/**
 * Random orders of the players, each with its reverse, because contributions early and late in an order often differ
 * in opposite directions. A pair of orders is one observation of the interval.
 */
export function sampledPlan(players: number, permutations: number, random: Random): Plan {
  const pairs = Math.max(2, Math.ceil(permutations / 2));
  const places = Array.from({ length: players }, (_, i) => i);
  const orders = Array.from({ length: pairs }, () => random.shuffle(places)).flatMap((order) => [
    order,
    [...order].reverse(),
  ]);
  const coalitions: Coalition[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (members: readonly boolean[]): number => {
    const key = members.map(Number).join('');
    const at = valueIn(indexes, key, () => coalitions.push([...members]) - 1);
    return at;
  };
  /** For each order, the coalitions that form as its players join one after another, from none to all. */
  const chains = orders.map((order) => {
    const members = places.map(() => false);
    return [
      indexOf(members),
      ...order.map((player) => {
        members[player] = true;
        return indexOf(members);
      }),
    ];
  });
  return {
    coalitions,
    exact: false,
    permutations: orders.length,
    solve: (values) => {
      const draws = places.map(() => new Float64Array(pairs));
      for (const [o, order] of orders.entries())
        for (const [step, player] of order.entries())
          draws[player][o >> 1] += (values[chains[o][step + 1]] - values[chains[o][step]]) / 2;
      return draws.map(withInterval);
    },
  };
}

/** The mean of independent draws, with the interval of Student's t. */
function withInterval(draws: Float64Array): Contribution {
  const value = mean(draws);
  const half =
    (studentQuantile(0.975, draws.length - 1) * standardDeviation(draws)) / Math.sqrt(draws.length);
  return { value, ci: [value - half, value + half] };
}
