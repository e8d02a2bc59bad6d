/* Explains the score of one caption: the contributions of its words, of the regions of its image, and of both together. */
import type { Bench } from '../bench/bench';
import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import type { Evaluator } from '../evaluator/evaluator';
import type { HiddenFill } from '../perturb/image/hide';
import { type ChangeExplained, explainChange } from './change';
import { explainObjects, type ObjectsExplained, type ObjectsToHide } from './objects';
import { explainRegions, type Grid, type RegionInfluence, seesRegions } from './regions';
import { PairScorer, separates, type Target } from './scorer';
import { mostExact } from './shapley';
import { explainWords, unitsIn, type WordOptions, type WordsExplained } from './words';

export interface ExplainOptions extends WordOptions {
  /** Absent for words only. */
  grid?: Grid;
  /** Objects of the image to hide, instead of the regions of a grid. */
  objects?: ObjectsToHide;
  /** Whether to measure each word with each region or object hidden. */
  table: boolean;
}

export const fills = ['grey', 'mean', 'blur', 'black'] as const satisfies readonly HiddenFill[];
export const smallestGrid = 4;
export const largestGrid = 14;

export const usualOptions: Omit<ExplainOptions, 'table'> = {
  ...{ method: 'shapley', units: 'words', permutations: 32, seed: 42 },
  grid: { rows: 7, columns: 7, fill: 'grey' },
};

export interface Explanation extends WordsExplained {
  caption: string;
  /** The text that the caption was compared with. Absent if it was compared with its image. */
  against?: string;
  /** Absent if regions were not measured. */
  grid?: Grid;
  regions?: RegionInfluence[];
  /** Absent unless objects were hidden. */
  objects?: ObjectsExplained;
  /** The number of distinct pairs that were scored, and what the sampling was seeded with. */
  budget: { pairs: number; seed: number };
}

export interface Pair {
  caption: string;
  target: Target;
}

export interface Parts {
  bench: Bench;
  evaluator: Evaluator;
  signal?: AbortSignal | undefined;
  /** Receives what is known of the words before a slower part: leave-one-out before Shapley values, words before regions. */
  onWords?: (words: WordsExplained) => void;
}

/** Whether an evaluator scores this kind of pair. Throws if not. */
function scorerOf({ bench, evaluator, signal }: Parts, { caption, target }: Pair): PairScorer {
  const kind = 'text' in target ? 'text-text' : 'image-text';
  if (!evaluator.info.scores.includes(kind))
    throw new CaptiousError(
      'usage',
      kind === 'image-text'
        ? say('explain.scoresNoImages', evaluator.info.name)
        : say('explain.scoresNoTexts', evaluator.info.name),
      {
        at: evaluator.info.path,
        remedy: kind === 'image-text' ? say('explain.compareWithText') : say('explain.compareWithImage'),
      },
    );
  return new PairScorer(bench, evaluator, target, caption, signal);
}

export async function explain(parts: Parts, pair: Pair, options: ExplainOptions): Promise<Explanation> {
  const { caption, target } = pair;
  const scorer = scorerOf(parts, pair);
  const { units } = unitsIn(caption, options.units);
  if (units.length === 0)
    throw new CaptiousError('input', say('explain.noWords'), { remedy: say('explain.chooseCaption') });
  const words = await explainWords(scorer, caption, options, parts.onWords);
  const { grid } = options;
  let regions: RegionInfluence[] | undefined;
  if (grid !== undefined && !('text' in target) && seesRegions(parts.evaluator)) {
    parts.onWords?.(words);
    regions = await explainRegions(scorer, target.image, caption, grid, options.table ? units : []);
  }
  const objects =
    options.objects === undefined
      ? undefined
      : await explainObjects(scorer, caption, options.objects, options.table ? units : []);
  return {
    caption,
    ...('text' in target ? { against: target.text } : {}),
    ...words,
    ...(regions === undefined || grid === undefined ? {} : { grid, regions }),
    ...(objects === undefined ? {} : { objects }),
    budget: { pairs: scorer.scored, seed: options.seed },
  };
}

/** Explains the difference between the scores of two captions. */
export function explainTwo(
  parts: Parts,
  { caption, target }: Pair,
  other: string,
  { permutations, seed, grid }: Pick<ExplainOptions, 'permutations' | 'seed' | 'grid'>,
): Promise<ChangeExplained> {
  if (other === caption)
    throw new CaptiousError('usage', say('explain.sameCaptions'), { remedy: say('explain.chooseOther') });
  const over =
    grid === undefined || 'text' in target || !seesRegions(parts.evaluator)
      ? undefined
      : { image: target.image, grid };
  return explainChange(
    scorerOf(parts, { caption, target }),
    { caption, other },
    { permutations, seed },
    over,
  );
}

/** An upper limit of the pairs to score. For encoders, most of them cost only a cosine. */
export function mostPairs(
  caption: string,
  { method, units: kind, permutations, grid, table }: ExplainOptions,
  parts = grid === undefined ? 0 : grid.rows * grid.columns,
): number {
  const { length } = unitsIn(caption, kind).units;
  const coalitions = length <= mostExact ? 2 ** length : permutations * (length - 1) + 2;
  const words = method === 'shapley' ? coalitions + length : length + 2;
  return words + parts * (table ? length + 1 : 1);
}

/**
 * What fits the evaluator: few scores and no regions where each score may cost money, and the table of words and
 * regions where it costs only cosines.
 */
export function optionsFor(evaluator: Evaluator, given: Partial<ExplainOptions> = {}): ExplainOptions {
  const { grid, ...usual } = usualOptions;
  const fitting = mayCost(evaluator) ? { ...usual, ...frugal } : { ...usual, grid };
  return { ...fitting, table: separates(evaluator), ...given };
}

/** The method for evaluators whose scores may cost money. */
export const frugal = { method: 'leave-one-out' } as const satisfies Partial<ExplainOptions>;

function mayCost({ info, consent }: Evaluator): boolean {
  return info.kind === 'judge' || (consent !== undefined && consent.runs !== true);
}
