/* Where an evaluator's ability may be, given its answers and the items' parameters. */
import { hermite } from './hermite';
import { logistic } from './patterns';

/** Log odds of a right answer: slope × ability + ease. */
export interface Items {
  slope: Float64Array;
  ease: Float64Array;
}

/** Where an evaluator's ability may be. */
export interface Posterior {
  nodes: Float64Array;
  weights: Float64Array;
  mean: number;
  variance: number;
}

const nodeCount = 21;
const { nodes: standardNodes, weights: standardWeights } = hermite(nodeCount);

export function posteriorOf(
  answers: Float64Array,
  counts: Float64Array,
  { slope, ease }: Items,
  from: number,
): Posterior {
  const logOf = (ability: number): number => {
    let total = (-ability * ability) / 2;
    for (const [p, y] of answers.entries()) {
      if (Number.isNaN(y)) continue;
      const odds = slope[p] * ability + ease[p];
      // log P = odds − log(1 + exp(odds)), without overflow.
      total += counts[p] * (y * odds - Math.max(odds, 0) - Math.log1p(Math.exp(-Math.abs(odds))));
    }
    return total;
  };
  let [mode, information] = [from, 1];
  for (let round = 0; round < 50; round++) {
    let score = -mode;
    information = 1;
    for (const [p, y] of answers.entries()) {
      if (Number.isNaN(y)) continue;
      const right = logistic(slope[p] * mode + ease[p]);
      score += counts[p] * slope[p] * (y - right);
      information += counts[p] * slope[p] ** 2 * right * (1 - right);
    }
    const step = score / information;
    mode += Math.min(1, Math.max(-1, step));
    if (Math.abs(step) < 1e-9) break;
  }
  const width = 1 / Math.sqrt(information);
  const nodes = standardNodes.map((x) => mode + width * x);
  const logs = nodes.map((node, q) => logOf(node) + standardNodes[q] ** 2 / 2);
  const top = logs.reduce((most, own) => Math.max(most, own), -Infinity);
  const weights = logs.map((own, q) => standardWeights[q] * Math.exp(own - top));
  const total = weights.reduce((sum, own) => sum + own, 0);
  let [mean, square] = [0, 0];
  for (const [q, node] of nodes.entries()) {
    weights[q] /= total;
    mean += weights[q] * node;
  }
  for (const [q, node] of nodes.entries()) square += weights[q] * (node - mean) ** 2;
  return { nodes, weights, mean, variance: square };
}

/** The mean and the standard deviation of the abilities. */
export function scaleOf(posteriors: readonly Posterior[]): { mean: number; scale: number } {
  const n = posteriors.length;
  const mean = posteriors.reduce((sum, own) => sum + own.mean, 0) / n;
  const square = posteriors.reduce((sum, own) => sum + own.variance + (own.mean - mean) ** 2, 0) / n;
  return { mean, scale: Math.sqrt(square) };
}
