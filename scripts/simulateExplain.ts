/* Simulates captions whose Shapley values are known, and prints how often the intervals of sampled orders cover them. */
import { Random } from '../src/base/random';
import { type Coalition, exactPlan, sampledPlan } from '../src/explain/shapley';

const runs = Number(process.argv[2] ?? 400);
const players = 10;

type Game = (random: Random) => (coalition: Coalition) => number;

/** Weights of the words. */
const additive: Game = (random) => {
  const weights = Array.from({ length: players }, () => normal(random));
  return (coalition) => weights.reduce((sum, weight, i) => sum + (coalition[i] ? weight : 0), 0);
};

/** Adds weights of pairs of words that count only together. */
const pairs: Game = (random) => {
  const alone = additive(random);
  const weights = Array.from({ length: players * players }, () => normal(random) / 3);
  return (coalition) =>
    weights.reduce(
      (sum, weight, at) =>
        sum + (coalition[at % players] && coalition[Math.floor(at / players)] ? weight : 0),
      alone(coalition),
    );
};

/** Adds triples of words. The reverse of an order makes the effect of pairs exact, but not that of triples. */
const triples: Game = (random) => {
  const fewer = pairs(random);
  const some = Array.from({ length: 30 }, () => ({
    places: random.shuffle(Array.from({ length: players }, (_, i) => i)).slice(0, 3),
    weight: normal(random),
  }));
  return (coalition) =>
    some.reduce(
      (sum, { places, weight }) => sum + (places.every((place) => coalition[place]) ? weight : 0),
      fewer(coalition),
    );
};

/** A score that saturates: a word matters less if others have raised it already. */
const saturating: Game = (random) => {
  const inner = triples(random);
  return (coalition) => 1 / (1 + Math.exp(-inner(coalition)));
};

/** Three words that give the score only together, so that most orders contribute nothing. */
const rare: Game = (random) => {
  const alone = additive(random);
  return (coalition) => alone(coalition) / 10 + (coalition[0] && coalition[1] && coalition[2] ? 1 : 0);
};

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
}

/** The share of words whose interval contains the exact value, and the mean half width relative to the largest value. */
function covered(make: Game, permutations: number): [coverage: number, width: number] {
  let [inside, all, width] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const value = make(new Random('explain', run));
    const exact = exactPlan(players);
    const truth = exact.solve(exact.coalitions.map(value)).map((one) => one.value);
    const sampled = sampledPlan(players, permutations, new Random('explain orders', run, permutations));
    const largest = truth.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    for (const [i, { ci }] of sampled.solve(sampled.coalitions.map(value)).entries()) {
      // Rounding errors of a game without interactions are no failure of the interval.
      if (ci![0] - 1e-12 <= truth[i] && truth[i] <= ci![1] + 1e-12) inside++;
      width += (ci![1] - ci![0]) / 2 / largest;
      all++;
    }
  }
  return [inside / all, width / all];
}

const sources: readonly [name: string, game: Game][] = [
  ['words, pairs and triples of words', triples],
  ['the same, saturating', saturating],
  ['three words that count only together', rare],
];
const budgets = [16, 32, 64, 128];

process.stdout.write(`| score | ${budgets.map((count) => `${count} orders`).join(' | ')} |\n`);
process.stdout.write(`| --- | ${budgets.map(() => '---:').join(' | ')} |\n`);
for (const [name, game] of sources) {
  const cells = budgets.map((count) => {
    const [coverage, width] = covered(game, count);
    return `${(100 * coverage).toFixed(1)} % (±${(100 * width).toFixed(0)} %)`;
  });
  process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
}
