/**
 * Item response models: the probability of a right answer is the logistic function of discrimination × (ability −
 * difficulty). By marginal maximum likelihood: EM with Gauss–Hermite quadrature over abilities, which is placed at each
 * evaluator's own posterior, because many items make it far narrower than the distribution of abilities.
 */
import type { Steps } from '../../base/turns/steps';
import { type Answers, logistic, type Patterns, patternsInStep, patternsOf } from './patterns';
import { type Items, type Posterior, posteriorOf, scaleOf } from './posterior';

export interface ItemResponse {
  /** By item. The error of a common discrimination is given the abilities, so it is too small with few evaluators. */
  difficulty: Float64Array;
  difficultyError: Float64Array;
  discrimination: Float64Array;
  discriminationError: Float64Array;
  /** By evaluator: the mean and the standard deviation of the ability's posterior. Abilities have mean 0 and variance 1. */
  ability: Float64Array;
  abilityError: Float64Array;
  isConverged: boolean;
}

export interface ItemResponseOptions {
  /** `common`: all items have one discrimination (1PL). `own`: each item has its own one (2PL). */
  discrimination: 'common' | 'own';
  /** Without priors, an item that all evaluators answer alike has no finite difficulty. */
  priors?: boolean;
}

/** The prior of an item's log odds for an evaluator of ability 0: normal around 0 with this standard deviation. */
const spreadOfEase = 3;
/** The prior of a discrimination: normal around the common one, with this multiple of it as standard deviation. */
const spreadOfSlopes = 0.5;
const mostRounds = 2000;
/** The iteration ends if no parameter changes by more, relative to its size plus 1. */
const tolerance = 1e-6;

interface Model {
  patterns: Patterns;
  ofEvaluator: Float64Array[];
  isCommon: boolean;
  /** The precisions of the priors, or 0. */
  easePrior: number;
  slopePrior: { centre: number; precision: number };
}

export function* itemResponse(
  answers: Answers,
  { discrimination, priors = true }: ItemResponseOptions,
): Steps<ItemResponse> {
  const patterns = patternsOf(answers);
  const ofEvaluator = answers.credits.map((_, e) => Float64Array.from(patterns.answers, (list) => list[e]));
  const size = patterns.counts.length;
  const base = { patterns, ofEvaluator, easePrior: priors ? spreadOfEase ** -2 : 0 };
  const start = { slope: new Float64Array(size).fill(1), ease: new Float64Array(size) };
  const flat = { centre: 0, precision: 0 };
  const first = yield* fitted({ ...base, isCommon: true, slopePrior: flat }, start);
  if (discrimination === 'common') return resultOf(first);
  const centre = first.items.slope[0];
  const slopePrior = priors ? { centre, precision: (spreadOfSlopes * centre) ** -2 } : flat;
  return resultOf(yield* fitted({ ...base, isCommon: false, slopePrior }, first.items));
}

interface Fitted {
  model: Model;
  items: Items;
  posteriors: Posterior[];
  isConverged: boolean;
}

function* fitted(model: Model, start: Items): Steps<Fitted> {
  let items: Items = { slope: start.slope.slice(), ease: start.ease.slice() };
  let centres = model.ofEvaluator.map(() => 0);
  let isConverged = false;
  let posteriors: Posterior[] = [];
  for (let round = 0; round < mostRounds && !isConverged; round++) {
    posteriors = [];
    for (const [e, own] of model.ofEvaluator.entries()) {
      posteriors.push(posteriorOf(own, model.patterns.counts, items, centres[e]));
      yield;
    }
    const next = standardised(yield* maximised(model, items, posteriors), posteriors);
    isConverged = changeOf(items, next) < tolerance;
    items = next;
    centres = posteriors.map(({ mean }) => mean);
  }
  return { model, items, posteriors, isConverged };
}

function changeOf(before: Items, after: Items): number {
  let most = 0;
  for (const key of ['slope', 'ease'] as const)
    for (const [p, own] of after[key].entries())
      most = Math.max(most, Math.abs(own - before[key][p]) / (1 + Math.abs(own)));
  return most;
}

/** Gives the abilities mean 0 and variance 1, and the items the same probabilities. Plain EM takes very long to do so. */
function standardised({ slope, ease }: Items, posteriors: readonly Posterior[]): Items {
  const { mean, scale } = scaleOf(posteriors);
  return { slope: slope.map((own) => own * scale), ease: ease.map((own, p) => own + slope[p] * mean) };
}

/** The gradient and the information of a pattern's log-likelihood, expected over the abilities. */
interface Moments {
  ofSlope: number;
  ofEase: number;
  slope2: number;
  ease2: number;
  both: number;
}

function momentsOf(
  list: Float64Array,
  slope: number,
  ease: number,
  posteriors: readonly Posterior[],
): Moments {
  const out = { ofSlope: 0, ofEase: 0, slope2: 0, ease2: 0, both: 0 };
  for (const [e, y] of list.entries()) {
    if (Number.isNaN(y)) continue;
    const { nodes, weights } = posteriors[e];
    for (let q = 0; q < nodes.length; q++) {
      const right = logistic(slope * nodes[q] + ease);
      const [score, information] = [weights[q] * (y - right), weights[q] * right * (1 - right)];
      out.ofEase += score;
      out.ofSlope += score * nodes[q];
      out.ease2 += information;
      out.both += information * nodes[q];
      out.slope2 += information * nodes[q] ** 2;
    }
  }
  return out;
}

const longestStep = 2;
const bounded = (step: number): number => Math.min(longestStep, Math.max(-longestStep, step));

/** One Newton step of all items. The log-likelihood of given abilities is concave. */
function* maximised(model: Model, { slope, ease }: Items, posteriors: readonly Posterior[]): Steps<Items> {
  const { patterns, isCommon, easePrior, slopePrior } = model;
  const next = { slope: slope.slice(), ease: ease.slice() };
  const follows = new Float64Array(slope.length);
  let [score, information] = [0, 0];
  for (const [p, list] of patterns.answers.entries()) {
    if (p % patternsInStep === 0) yield;
    const own = momentsOf(list, slope[p], ease[p], posteriors);
    const ofEase = own.ofEase - easePrior * ease[p];
    const ease2 = own.ease2 + easePrior;
    if (isCommon) {
      next.ease[p] += bounded(ofEase / ease2);
      // The ease follows the slope, so that one step serves both.
      follows[p] = own.both / ease2;
      score += patterns.counts[p] * (own.ofSlope - follows[p] * ofEase);
      information += patterns.counts[p] * (own.slope2 - own.both ** 2 / ease2);
      continue;
    }
    const ofSlope = own.ofSlope - slopePrior.precision * (slope[p] - slopePrior.centre);
    const slope2 = own.slope2 + slopePrior.precision;
    const determinant = slope2 * ease2 - own.both ** 2;
    next.slope[p] += bounded((ease2 * ofSlope - own.both * ofEase) / determinant);
    next.ease[p] += bounded((slope2 * ofEase - own.both * ofSlope) / determinant);
  }
  if (isCommon) {
    const step = bounded(score / information);
    for (let p = 0; p < slope.length; p++) {
      next.slope[p] += step;
      next.ease[p] -= follows[p] * step;
    }
  }
  return next;
}

/** The parameters with their errors, given the scale of the abilities. */
function resultOf({ model, items, posteriors, isConverged }: Fitted): ItemResponse {
  const { patterns, isCommon } = model;
  const size = patterns.counts.length;
  const [difficultyError, discriminationError] = [new Float64Array(size), new Float64Array(size)];
  const difficulty = items.ease.map((own, p) => -own / items.slope[p]);
  const information = patterns.answers.map((list, p) =>
    informationOf(list, items.slope[p], items.ease[p], posteriors),
  );
  const common = information.reduce(
    (sum, own, p) => sum + patterns.counts[p] * (own.slope2 - own.both ** 2 / (own.ease2 + model.easePrior)),
    0,
  );
  for (const [p, own] of information.entries()) {
    const ease2 = own.ease2 + model.easePrior;
    const slope2 = own.slope2 + model.slopePrior.precision;
    const determinant = slope2 * ease2 - own.both ** 2;
    // The variances of the slope and the ease, and their covariance.
    const ofSlope = isCommon ? 1 / common : ease2 / determinant;
    const both = -ofSlope * (own.both / ease2);
    const ofEase = 1 / ease2 + ofSlope * (own.both / ease2) ** 2;
    const b = difficulty[p];
    discriminationError[p] = Math.sqrt(ofSlope);
    difficultyError[p] = Math.sqrt(ofEase + 2 * b * both + b * b * ofSlope) / Math.abs(items.slope[p]);
  }
  // The priors of items pull the scale away from that of the abilities.
  const { mean: centre, scale } = scaleOf(posteriors);
  const ofItems = (values: Float64Array, to: (value: number) => number): Float64Array =>
    Float64Array.from(patterns.of, (p) => to(values[p]));
  return {
    difficulty: ofItems(difficulty, (own) => (own - centre) / scale),
    difficultyError: ofItems(difficultyError, (own) => own / scale),
    discrimination: ofItems(items.slope, (own) => own * scale),
    discriminationError: ofItems(discriminationError, (own) => own * scale),
    ability: Float64Array.from(posteriors, ({ mean }) => (mean - centre) / scale),
    abilityError: Float64Array.from(posteriors, ({ variance }) => Math.sqrt(variance) / scale),
    isConverged,
  };
}

/** What the answers tell about an item: the expected information, less what is lost because abilities are not known (Louis). */
function informationOf(
  list: Float64Array,
  slope: number,
  ease: number,
  posteriors: readonly Posterior[],
): Pick<Moments, 'slope2' | 'ease2' | 'both'> {
  const { slope2, ease2, both } = momentsOf(list, slope, ease, posteriors);
  const out = { slope2, ease2, both };
  for (const [e, y] of list.entries()) {
    if (Number.isNaN(y)) continue;
    const { nodes, weights } = posteriors[e];
    const scores = nodes.map((node) => y - logistic(slope * node + ease));
    let [ofEase, ofSlope] = [0, 0];
    for (let q = 0; q < nodes.length; q++) {
      ofEase += weights[q] * scores[q];
      ofSlope += weights[q] * scores[q] * nodes[q];
    }
    for (let q = 0; q < nodes.length; q++) {
      const [a, b] = [scores[q] * nodes[q] - ofSlope, scores[q] - ofEase];
      out.slope2 -= weights[q] * a * a;
      out.both -= weights[q] * a * b;
      out.ease2 -= weights[q] * b * b;
    }
  }
  return out;
}
