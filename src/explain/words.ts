import { CaptiousError } from '../base/errors';
import { Random } from '../base/random';
import { say } from '../base/say';
import { sum } from '../stats/summary';
import { exactPlan, mostExact, type Plan, sampledPlan } from './shapley';
import type { PairScorer } from './scorer';
import { keep, phrasesOf, type Unit, type UnitKind, wordsOf } from './units';

export const methods = ['shapley', 'leave-one-out'] as const;
export type Method = (typeof methods)[number];

export interface WordOptions {
  method: Method;
  units: UnitKind;
  /** The number of orders of the words that are drawn if there are more than ten. */
  permutations: number;
  seed: number;
}

export interface WordInfluence {
  word: string;
  /** Where the word is in the caption, in UTF-16 units. */
  start: number;
  end: number;
  /** How much the word contributes to the score. Null if the caption without the word has no score. */
  influence: number | null;
  /** The 95 % interval of a sampled influence. */
  ci?: [number, number];
  /** The score of the caption without this word. Null if there is none. */
  without: number | null;
}

export interface WordsExplained {
  method: Method;
  units: UnitKind;
  /** Whether the influences are the method's values, without any sampling. */
  exact: boolean;
  /** The number of orders of the words that were drawn. Absent unless the influences are sampled. */
  permutations?: number;
  score: number;
  /** The score of a caption without words. Null if there is none, which leave-one-out does not need. */
  base: number | null;
  /** The sum of the influences. Shapley values sum to `score` − `base`. */
  sum: number | null;
  words: WordInfluence[];
}

/** The units of a caption. Without clear phrases, its words. */
export function unitsIn(caption: string, kind: UnitKind): { units: Unit[]; kind: UnitKind } {
  const phrases = kind === 'phrases' ? phrasesOf(caption) : undefined;
  return phrases === undefined ? { units: wordsOf(caption), kind: 'words' } : { units: phrases, kind };
}

/** A caption with more words has too many versions to score. */
const mostUnits: Readonly<Record<Method, number>> = { shapley: 100, 'leave-one-out': 1000 };

/**
 * The influence of each word on the score of a caption. Shapley values need hundreds of scores, so `onFirst` receives the
 * leave-one-out influences first, which need one for each word.
 */
export async function explainWords(
  scorer: PairScorer,
  caption: string,
  options: WordOptions,
  onFirst?: (words: WordsExplained) => void,
): Promise<WordsExplained> {
  const { units, kind } = unitsIn(caption, options.units);
  const most = mostUnits[options.method];
  if (units.length > most)
    throw new CaptiousError('input', say('explain.tooManyWords', units.length, most), {
      remedy: say('explain.shortenCaption'),
    });
  return options.method === 'shapley'
    ? shapley(scorer, caption, { units, kind }, options, onFirst)
    : leaveOneOut(scorer, caption, units, kind);
}

async function shapley(
  scorer: PairScorer,
  caption: string,
  { units, kind }: { units: readonly Unit[]; kind: UnitKind },
  { permutations, seed }: WordOptions,
  onFirst?: (words: WordsExplained) => void,
): Promise<WordsExplained> {
  const plan = planFor(units.length, permutations, () => new Random(seed, caption, 'explain.words'));
  const all = plan.coalitions.map((coalition) => keep(caption, units, (unit) => coalition[unit]));
  const singles = units.map((_, i) => keep(caption, units, (unit) => unit !== i));
  // The caption itself is scored as it is written, also if it begins or ends with a space.
  const texts = all.map((text, i) => (plan.coalitions[i].every(Boolean) ? caption : text));
  const known = new Map<string, number>();
  const score = async (wanted: readonly string[]): Promise<number[]> => {
    const missing = [...new Set(wanted)].filter((text) => !known.has(text));
    const scores = await scorer.scores(missing.map((text) => ({ text })));
    for (const [i, text] of missing.entries()) known.set(text, scores[i]);
    return wanted.map((text) => known.get(text)!);
  };
  const [whole, base, ...without] = await score([caption, '', ...singles]);
  onFirst?.(withoutEach(units, kind, whole, base, without));
  const contributions = plan.solve(await score(texts));
  return {
    ...{ method: 'shapley', units: kind, exact: plan.exact },
    ...(plan.permutations === undefined ? {} : { permutations: plan.permutations }),
    score: whole,
    base,
    sum: sum(contributions.map(({ value }) => value)),
    words: units.map(({ word, start, end }, i) => ({
      ...{ word, start, end, influence: contributions[i].value },
      ...(contributions[i].ci === undefined ? {} : { ci: contributions[i].ci }),
      without: without[i],
    })),
  };
}

export function planFor(players: number, permutations: number, random: () => Random): Plan {
  return players <= mostExact ? exactPlan(players) : sampledPlan(players, permutations, random());
}

async function leaveOneOut(
  scorer: PairScorer,
  caption: string,
  units: readonly Unit[],
  kind: UnitKind,
): Promise<WordsExplained> {
  const singles = units.map((_, i) => keep(caption, units, (unit) => unit !== i));
  const [score] = await scorer.scores([{ text: caption }]);
  const outcomes = await scorer.outcomes(['', ...singles].map((text) => ({ text })));
  const [base, ...without] = outcomes.map((outcome) => (outcome.ok ? outcome.value : null));
  return withoutEach(units, kind, score, base, without);
}

/** The leave-one-out influences that follow from the scores. */
function withoutEach(
  units: readonly Unit[],
  kind: UnitKind,
  score: number,
  base: number | null,
  without: readonly (number | null)[],
): WordsExplained {
  const words = units.map(({ word, start, end }, i) => {
    const rest = without[i];
    return { word, start, end, influence: rest === null ? null : score - rest, without: rest };
  });
  const known = words.flatMap(({ influence }) => (influence === null ? [] : [influence]));
  return {
    ...{ method: 'leave-one-out', units: kind, exact: true, score },
    base,
    sum: known.length === words.length ? sum(known) : null,
    words,
  };
}
