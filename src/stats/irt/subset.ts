/**
 * Fewer items that keep the order of evaluators. Some evaluators choose the items, others say what is lost, so that the loss is
 * that of evaluators which the choice has not seen.
 */
import { type Steps } from '../../base/turns/steps';
import { Draws } from '../draws';
import { kendallTauB } from '../kendall';
import { ascendingOrder } from '../order';
import { isDefined } from '../outcome';
import { mean } from '../summary';

/** How well the accuracies on fewer items agree with those on all items. */
export interface Agreement {
  /** Kendall's τ-b of the evaluators' accuracies. 0 if all accuracies on the fewer items are equal. */
  tau: number;
  /** The mean absolute difference of an evaluator's accuracies. */
  error: number;
}

export interface TestedSize {
  size: number;
  chosen: Agreement;
  /** The mean over random choices. */
  random: Agreement;
  /** How often a random choice keeps the order as well. */
  pValue: number;
}

export interface SubsetOptions {
  seed: number;
  sizes: readonly number[];
  /** How often the evaluators are divided into those that choose and those that test. */
  splits?: number;
  /** The number of random choices with which each choice is compared. */
  randomChoices?: number;
}

/** The fewest evaluators that can be divided: three choose, and three have an order. */
export const leastForSubset = 6;

/** `credits`: by evaluator, a credit for each item, none of them NaN. */
export function* testSizes(
  credits: readonly Float64Array[],
  { seed, sizes, splits = 20, randomChoices = 399 }: SubsetOptions,
): Steps<TestedSize[]> {
  const draws = new Draws('subset', seed);
  const items = credits[0].length;
  const total = credits.map((own) => mean(own));
  const out: TestedSize[] = [];
  const halves = Array.from({ length: splits }, () => shuffled(credits.length, draws));
  const half = Math.floor(credits.length / 2);
  for (const size of sizes) {
    const chosen: Agreement[] = [];
    for (const order of halves) {
      const choosers = order.slice(0, half).map((e) => credits[e]);
      const fewer = accuraciesOn(chosenItems(choosers, size), credits);
      chosen.push(agreementOf(fewer, total, order.slice(half)));
      yield;
    }
    const means: Agreement[] = [];
    for (let r = 0; r < randomChoices; r++) {
      const fewer = accuraciesOn(randomItems(items, size, draws), credits);
      means.push(meanOf(halves.map((order) => agreementOf(fewer, total, order.slice(half)))));
      yield;
    }
    const found = meanOf(chosen);
    const asGood = means.filter(({ tau }) => tau >= found.tau).length;
    out.push({ size, chosen: found, random: meanOf(means), pValue: (1 + asGood) / (1 + randomChoices) });
  }
  return out;
}

/**
 * As many groups of items as the subset has, from the hardest to the easiest, and of each group the item that tells good
 * evaluators from bad ones best. So the chosen items are as hard as all items, and accuracies need no weights.
 */
export function chosenItems(credits: readonly Float64Array[], size: number): Uint32Array {
  const items = credits[0].length;
  const accuracies = credits.map((own) => mean(own));
  const centre = mean(accuracies);
  const [right, tells] = [new Float64Array(items), new Float64Array(items)];
  for (const [e, own] of credits.entries())
    for (let i = 0; i < items; i++) {
      right[i] += own[i];
      tells[i] += own[i] * (accuracies[e] - centre);
    }
  const order = ascendingOrder(right);
  return Uint32Array.from({ length: size }, (_, group) => {
    const end = Math.floor(((group + 1) * items) / size);
    let best = order[Math.floor((group * items) / size)];
    for (let at = Math.floor((group * items) / size); at < end; at++)
      if (tells[order[at]] > tells[best]) best = order[at];
    return best;
  }).sort();
}

function accuraciesOn(at: Uint32Array, credits: readonly Float64Array[]): number[] {
  return credits.map((own) => at.reduce((sum, i) => sum + own[i], 0) / at.length);
}

function agreementOf(
  fewer: readonly number[],
  total: readonly number[],
  evaluators: readonly number[],
): Agreement {
  const [own, all] = [fewer, total].map((values) => evaluators.map((e) => values[e]));
  const tau = kendallTauB(own, all);
  return {
    tau: isDefined(tau) ? tau.coefficient : 0,
    error: mean(own.map((value, i) => Math.abs(value - all[i]))),
  };
}

function meanOf(all: readonly Agreement[]): Agreement {
  return { tau: mean(all.map(({ tau }) => tau)), error: mean(all.map(({ error }) => error)) };
}

function shuffled(n: number, draws: Draws): number[] {
  const out = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(draws.uniform() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** Different items (Floyd's algorithm). */
function randomItems(n: number, size: number, draws: Draws): Uint32Array {
  const chosen = new Set<number>();
  for (let i = n - size; i < n; i++) {
    const at = Math.floor(draws.uniform() * (i + 1));
    chosen.add(chosen.has(at) ? i : at);
  }
  return Uint32Array.from(chosen);
}
