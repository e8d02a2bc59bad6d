/**
 * How likely it is that an item's label is wrong, from the answers of several evaluators. An item has a difficulty that is
 * normally distributed, and with a small probability its answers are those to another right caption.
 */
import type { Steps } from '../../base/turns/steps';
import { hermite } from './hermite';
import { type Answers, logistic, type Patterns, patternsInStep, patternsOf } from './patterns';

export interface Flips {
  /** The probability that each item's label is wrong. */
  probability: Float64Array;
  /** The estimated share of wrong labels. */
  share: number;
  /** How often an evaluator is right about an item of mean difficulty, in logits. */
  abilities: Float64Array;
  /** The standard deviation of the difficulties. */
  spread: number;
  isConverged: boolean;
}

const nodesOfDifficulty = 21;
const mostRounds = 1000;
/** The iteration ends if the log-likelihood of an item changes by less on average. */
const tolerance = 1e-6;

/** The prior of the share: as if so many labels were known to be right. Few items would otherwise have many suspects. */
const knownRight = 30;

/** With a higher share, wrong labels would be the rule, and no one could say which labels they are. */
const mostFlips = 0.5;

interface Fit {
  abilities: Float64Array;
  spread: number;
  share: number;
}

/**
 * By marginal maximum likelihood: EM over the difficulties and over which labels are wrong. Evaluators may be worse than
 * guessing about an item, because shared errors are as common as wrong labels, and a floor would call them all wrong labels.
 */
export function* flipsIn(answers: Answers): Steps<Flips> {
  const patterns = patternsOf(answers);
  const kinds = [...new Set(patterns.options)];
  const kindOf = Uint32Array.from(patterns.options, (own) => kinds.indexOf(own));
  let fit: Fit = {
    abilities: Float64Array.from(answers.credits, (own) => startOf(own)),
    ...{ spread: 1, share: 0.02 },
  };
  const probability = new Float64Array(patterns.counts.length);
  let isConverged = false;
  let reached = -Infinity;
  for (let round = 0; round < mostRounds && !isConverged; round++) {
    yield;
    const expected = yield* expectation(fit, patterns, { kinds, kindOf }, probability);
    const next = maximum(fit, expected, kinds);
    isConverged = Math.abs(expected.fit - reached) < tolerance * answers.options.length;
    reached = expected.fit;
    fit = next;
  }
  return { probability: Float64Array.from(patterns.of, (at) => probability[at]), ...fit, isConverged };
}

function startOf(credits: Float64Array): number {
  let [right, n] = [1, 2];
  for (const own of credits)
    if (!Number.isNaN(own)) {
      right += own;
      n++;
    }
  return Math.log(right / (n - right));
}

interface Kinds {
  kinds: readonly number[];
  kindOf: Uint32Array;
}

/** For each kind of item and evaluator: how often it is expected to be right and wrong, by node; then with a wrong label. */
interface Expected {
  nodes: Float64Array;
  /** By kind, then by evaluator; the four lists are right, wrong, and both under a wrong label. */
  counts: Float64Array[][][];
  share: number;
  spread: number;
  /** The log-likelihood of the parameters from which the counts are. */
  fit: number;
}

const { nodes: standardNodes, weights } = hermite(nodesOfDifficulty);

function* expectation(
  { abilities, spread, share }: Fit,
  { counts: n, answers }: Patterns,
  { kinds, kindOf }: Kinds,
  probability: Float64Array,
): Steps<Expected> {
  const Q = nodesOfDifficulty;
  const nodes = standardNodes.map((x) => spread * x);
  const empty = (): Float64Array[] => Array.from({ length: 4 }, () => new Float64Array(Q));
  const counts = kinds.map(() => Array.from(abilities, empty));
  const logs = kinds.map((options) => Array.from(abilities, (ability) => logsOf(ability, nodes, options)));
  const [own, flipped] = [new Float64Array(Q), new Float64Array(Q)];
  let [flips, squares, all, fit] = [0, 0, 0, 0];
  for (const [p, list] of answers.entries()) {
    if (p % patternsInStep === 0) yield;
    const k = kindOf[p];
    for (let q = 0; q < Q; q++) {
      own[q] = Math.log(1 - share) + Math.log(weights[q]);
      flipped[q] = Math.log(share) + Math.log(weights[q]);
    }
    for (const [e, y] of list.entries()) {
      if (Number.isNaN(y)) continue;
      const [right, wrong, rightIfFlipped, wrongIfFlipped] = logs[k][e];
      for (let q = 0; q < Q; q++) {
        own[q] += y * right[q] + (1 - y) * wrong[q];
        flipped[q] += y * rightIfFlipped[q] + (1 - y) * wrongIfFlipped[q];
      }
    }
    let top = -Infinity;
    for (let q = 0; q < Q; q++) top = Math.max(top, own[q], flipped[q]);
    let [total, wrongLabel] = [0, 0];
    for (let q = 0; q < Q; q++) {
      own[q] = Math.exp(own[q] - top);
      flipped[q] = Math.exp(flipped[q] - top);
      total += own[q] + flipped[q];
      wrongLabel += flipped[q];
    }
    probability[p] = wrongLabel / total;
    fit += n[p] * (top + Math.log(total));
    flips += n[p] * probability[p];
    all += n[p];
    for (let q = 0; q < Q; q++) {
      own[q] *= n[p] / total;
      flipped[q] *= n[p] / total;
      squares += (own[q] + flipped[q]) * nodes[q] ** 2;
    }
    for (const [e, y] of list.entries()) {
      if (Number.isNaN(y)) continue;
      const [right, wrong, rightIfFlipped, wrongIfFlipped] = counts[k][e];
      for (let q = 0; q < Q; q++) {
        right[q] += y * own[q];
        wrong[q] += (1 - y) * own[q];
        rightIfFlipped[q] += y * flipped[q];
        wrongIfFlipped[q] += (1 - y) * flipped[q];
      }
    }
  }
  return { nodes, counts, share: flips / (all + knownRight), spread: Math.sqrt(squares / all), fit };
}

/** The logarithms of the probabilities of right and wrong answers at each node, and of those under a wrong label. */
function logsOf(ability: number, nodes: Float64Array, options: number): Float64Array[] {
  const right = nodes.map((node) => bounded(logistic(ability - node)));
  const wrong = right.map((p) => 1 - p);
  const rightIfFlipped = wrong.map((p) => p / (options - 1));
  return [right, wrong, rightIfFlipped, rightIfFlipped.map((p) => 1 - p)].map((list) => list.map(Math.log));
}

const smallest = 1e-12;
const bounded = (p: number): number => Math.min(1 - smallest, Math.max(smallest, p));

/** The farthest ability, so that an evaluator that is always right has a finite one. */
const farthest = 12;

/** One Fisher step of each ability. */
function maximum(
  { abilities }: Fit,
  { nodes, counts, share, spread }: Expected,
  kinds: readonly number[],
): Fit {
  return {
    spread: Math.max(spread, 1e-3),
    share: Math.min(share, mostFlips),
    abilities: abilities.map((ability, e) => {
      let [score, information] = [0, 1e-9];
      for (const [k, ofKind] of counts.entries()) {
        const [right, wrong, rightIfFlipped, wrongIfFlipped] = ofKind[e];
        const options = kinds[k];
        for (const [q, node] of nodes.entries()) {
          const p = bounded(logistic(ability - node));
          const slope = p * (1 - p);
          const flipped = (1 - p) / (options - 1);
          score +=
            slope *
            (right[q] / p -
              (wrong[q] + rightIfFlipped[q]) / (1 - p) +
              wrongIfFlipped[q] / (options - 2 + p || smallest));
          information +=
            slope ** 2 *
            ((right[q] + wrong[q]) / (p * (1 - p)) +
              (rightIfFlipped[q] + wrongIfFlipped[q]) / (options - 1) ** 2 / (flipped * (1 - flipped)));
        }
      }
      const step = Math.min(1, Math.max(-1, score / information));
      return Math.min(farthest, Math.max(-farthest, ability + step));
    }),
  };
}
