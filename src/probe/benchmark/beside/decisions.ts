/* Choices between captions of one image, and how models without the image decide them. */
import { createHash } from 'node:crypto';
import type { Steps } from '../../../base/turns/steps';
import { type Baseline, blindColumns } from '../blind/baselines';
import { Corpus } from '../blind/corpus';
import { creditOf, type Item } from '../items';

/** A choice is right if every right caption beats the wrong ones, or if the best one does. */
export type Rule = 'every' | 'best';

export interface Decision {
  /** What counts as one observation, such as the image. */
  observation: string;
  captions: readonly string[];
  isRight: readonly boolean[];
}

/** The items of a decision: each right caption with all wrong ones, in the order of the captions. */
function itemsIn({ observation, captions, isRight }: Decision): Item[] {
  return [...captions.keys()].flatMap((own): Item[] => {
    if (!isRight[own]) return [];
    const shown = [...captions.keys()].filter((c) => c === own || !isRight[c]);
    return [
      {
        ...{ example: observation, row: 0, observation, isList: false, tags: {} },
        ...{ captions: shown.map((c) => captions[c]), right: shown.indexOf(own) },
      },
    ];
  });
}

/** The credit of each item for a model with these scores of the captions. */
export function creditsOf(isRight: readonly boolean[], scores: readonly number[]): number[] {
  const wrong = scores.filter((_, c) => !isRight[c]);
  return scores.flatMap((score, c) => (isRight[c] ? [creditOf([score, ...wrong], 0)] : []));
}

/**
 * The credit for a decision from those of its items: the probability that it is right if ties are broken at random.
 * All items with a tie tie with the same wrong captions.
 */
export function decided(credits: readonly number[], rule: Rule): number {
  const ties = credits.filter((credit) => credit > 0 && credit < 1);
  const rivals = ties.length === 0 ? 0 : Math.round(1 / ties[0]) - 1;
  if (rule === 'best') return credits.includes(1) ? 1 : ties.length / Math.max(1, ties.length + rivals);
  return credits.includes(0) ? 0 : shareOfOrders(ties.length, rivals);
}

/** The credit that is expected from random scores. */
export function chanceOf({ isRight }: Pick<Decision, 'isRight'>, rule: Rule): number {
  const right = isRight.filter(Boolean).length;
  return rule === 'best' ? right / isRight.length : shareOfOrders(right, isRight.length - right);
}

/** The share of all orders in which every right caption is before every wrong one. */
function shareOfOrders(right: number, wrong: number): number {
  let share = 1;
  for (let i = 1; i <= right; i++) share *= i / (wrong + i);
  return share;
}

export type BlindCredits = readonly (readonly [name: Baseline, credits: Float64Array])[];

/** The last result, because all evaluators of a run usually decide the same. */
let last: { key: string; credits: BlindCredits } | undefined;

/** The credit of each baseline for each decision. Baselines are fitted on the decisions about other images. */
export function* blindCredits(decisions: readonly Decision[], rule: Rule, seed: number): Steps<BlindCredits> {
  const hash = createHash('sha256').update(JSON.stringify([rule, seed]));
  for (const { observation, captions, isRight } of decisions)
    hash.update(JSON.stringify([observation, captions, isRight]));
  const key = hash.digest('hex');
  if (last?.key === key) return last.credits;
  yield;
  const own = decisions.map((decision) => itemsIn(decision));
  const corpus = new Corpus(own.flat(), seed);
  yield;
  const columns = yield* blindColumns(corpus);
  const credits = columns.flatMap(([name, { shares }]) => {
    if (shares.every(Number.isNaN)) return [];
    let at = 0;
    return [
      [name, Float64Array.from(own, ({ length }) => decided([...shares.subarray(at, (at += length))], rule))],
    ] as const;
  });
  last = { key, credits };
  return credits;
}
