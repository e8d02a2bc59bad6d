/* Simulates evaluators and wrong labels: how many suspected labels are wrong, and how well a subset keeps the order. */
import { atOnce } from '../src/base/turns/steps';
import { Draws } from '../src/stats/draws';
import { flipsIn } from '../src/stats/irt/flips';
import { logistic } from '../src/stats/irt/patterns';
import { testSizes } from '../src/stats/irt/subset';
import { normalCdf, normalQuantile } from '../src/stats/normal';
import { ascendingOrder } from '../src/stats/order';
import { mean } from '../src/stats/summary';

const runs = Number(process.argv[2] ?? 10);
/** One of the kinds below, or `subset`. Without it, all. */
const part = process.argv[3];
const items = 1000;
const evaluators = 12;

/**
 * `logistic`: abilities and difficulties as in the model, with discriminations that differ. `guessing`: no evaluator is
 * worse than guessing. `shared`: evaluators share errors, so that good ones may fail together.
 */
const kinds = ['logistic', 'guessing', 'shared'] as const;

interface World {
  credits: Float64Array[];
  isWrong: (item: number) => boolean;
}

/** Also `noise`: as `logistic`, but all evaluators guess about two of three items. */
type Kind = (typeof kinds)[number] | 'noise';

function world(kind: Kind, [low, high]: readonly [number, number], wrong: number, run: number): World {
  const draws = new Draws('items', kind, low, high, wrong, run);
  const normal = (): number => normalQuantile(draws.uniform());
  const [difficulty, shared] = [0, 1].map(() => Float64Array.from({ length: items }, normal));
  const slope = Float64Array.from({ length: items }, () => Math.exp(0.3 * normal()));
  const chance = (ability: number, i: number): number => {
    if (kind === 'noise' && i % 3 > 0) return 0.5;
    const odds = slope[i] * (ability - difficulty[i]);
    if (kind === 'shared') return normalCdf(0.6 * (ability - difficulty[i]) + 0.5 * shared[i]);
    return kind === 'guessing' ? (1 + logistic(odds)) / 2 : logistic(odds);
  };
  const credits = Array.from({ length: evaluators }, (_, e) => {
    const ability = abilityFor(low + ((high - low) * e) / (evaluators - 1), chance);
    return Float64Array.from({ length: items }, (__, i) => {
      const right = draws.uniform() < chance(ability, i);
      return right === i >= wrong ? 1 : 0;
    });
  });
  return { credits, isWrong: (item) => item < wrong };
}

/** The ability with this accuracy on right labels. */
function abilityFor(accuracy: number, chance: (ability: number, item: number) => number): number {
  let [low, high] = [-12, 12];
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (let i = 0; i < items; i++) sum += chance(middle, i);
    if (sum / items < accuracy) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function precision(scores: Float64Array, { isWrong }: World, wrong: number): number {
  const first = ascendingOrder(scores.map((score) => -score)).slice(0, wrong);
  return first.filter(isWrong).length / wrong;
}

function row(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(3) : cell)).join(' | ')} |`);
}

/** The statistics by which labels can be suspected. */
function statistics({ credits }: World): Record<string, Float64Array> {
  const accuracies = credits.map((own) => mean(own));
  const centre = mean(accuracies);
  const sumOver = (weight: (e: number) => number): Float64Array =>
    Float64Array.from({ length: items }, (_, i) =>
      credits.reduce((sum, own, e) => sum + weight(e) * (1 - 2 * own[i]), 0),
    );
  return {
    missed: sumOver(() => 1),
    covariance: sumOver((e) => accuracies[e] - centre),
    odds: sumOver((e) => Math.log(accuracies[e] / (1 - accuracies[e]))),
  };
}

row([
  'answers',
  'accuracies',
  'wrong labels',
  'precision',
  'by misses',
  'by covariance',
  'by log odds',
  'suspected',
  'of them wrong',
]);
for (const kind of kinds.filter((own) => part === undefined || part === own))
  for (const range of [
    [0.55, 0.95],
    [0.6, 0.9],
    [0.7, 0.95],
    [0.8, 0.95],
    [0.55, 0.8],
  ] as const)
    for (const wrong of range[0] === 0.55 && range[1] === 0.95 ? [50, 0] : [50]) {
      const found: number[][] = [[], [], [], [], [], []];
      for (let run = 0; run < runs; run++) {
        const own = world(kind, range, wrong, run);
        const { probability } = atOnce(
          flipsIn({ credits: own.credits, options: new Uint8Array(items).fill(2) }),
        );
        const { missed, covariance, odds } = statistics(own);
        const suspected = [...probability.keys()].filter((i) => probability[i] > 0.5);
        if (wrong > 0)
          for (const [at, scores] of [probability, missed, covariance, odds].entries())
            found[at].push(precision(scores, own, wrong));
        found[4].push(suspected.length);
        found[5].push(suspected.filter(own.isWrong).length);
      }
      const precisions = found.slice(0, 4).map((values) => (values.length === 0 ? '–' : mean(values)));
      const counts = found.slice(4).map((values) => mean(values).toFixed(1));
      row([kind, range.join(' to '), String(wrong), ...precisions, ...counts]);
    }

console.log('');
row([
  'evaluators differ in',
  'items',
  'τ',
  'τ of random ones',
  'error',
  'error of random ones',
  'p below .05',
]);
for (const kind of part === undefined || part === 'subset' ? (['logistic', 'shared', 'noise'] as const) : [])
  for (const range of kind === 'noise'
    ? ([[0.53, 0.65]] as const)
    : ([
        [0.55, 0.95],
        [0.75, 0.85],
      ] as const)) {
    const sizes = [20, 50, 100, 200, 500];
    const all = Array.from({ length: Math.ceil(runs / 2) }, (_, run) =>
      atOnce(testSizes(world(kind, range, 0, run).credits, { seed: run, sizes })),
    );
    for (const [at, size] of sizes.entries()) {
      const own = all.map((tested) => tested[at]);
      row([
        ...[`${kind}, ${range.join(' to ')}`, String(size)],
        ...[mean(own.map(({ chosen }) => chosen.tau)), mean(own.map(({ random }) => random.tau))],
        ...[mean(own.map(({ chosen }) => chosen.error)), mean(own.map(({ random }) => random.error))],
        mean(own.map(({ pValue }) => (pValue < 0.05 ? 1 : 0))),
      ]);
    }
  }
