import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import type { HiddenFill } from '../perturb/image/hide';
import type { PairScorer } from './scorer';
import { keep, type Unit } from './units';

/** A grid over an image, and what hides its cells. */
export interface Grid {
  rows: number;
  columns: number;
  fill: HiddenFill;
}

/** The influence of a part of the image: of a region of a grid, or of an object. */
export interface PartInfluence {
  /** The score of the image minus its score with this part hidden. Null if there is none. */
  influence: number | null;
  /** For each word, how much less it influences the score if this part is hidden. Absent unless the table was asked for. */
  words?: (number | null)[];
}

export interface RegionInfluence extends PartInfluence {
  /** Counted from 0, from the top and from the left. */
  row: number;
  column: number;
}

/** For each cell of a grid, row by row: the image with this cell hidden. */
export function hiddenCells(image: ImageItem, { rows, columns, fill }: Grid): ImageItem[] {
  return Array.from({ length: rows * columns }, (_, cell) => ({
    ...image,
    transforms: [
      ...image.transforms,
      {
        ...{ op: 'blank' as const, columns, rows },
        ...{ column: cell % columns, row: Math.floor(cell / columns) },
        ...(fill === 'black' ? {} : { fill }),
      },
    ],
  }));
}

/** Whether an evaluator reads the image, so that hiding a part of it can change the score. */
export function seesRegions({ info, derived, mapped, knowsImage, references }: Evaluator): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  if (inner !== undefined) return seesRegions(inner);
  return info.scores.includes('image-text') && knowsImage === undefined && references === undefined;
}

/** The influence of each region of the image on the score of a caption, and with units, on the influence of each. */
export async function explainRegions(
  scorer: PairScorer,
  image: ImageItem,
  caption: string,
  grid: Grid,
  units: readonly Unit[] = [],
): Promise<RegionInfluence[]> {
  const found = await influencesOf(scorer, [image, ...hiddenCells(image, grid)], caption, units);
  return found.map((influence, cell) => ({
    ...{ row: Math.floor(cell / grid.columns), column: cell % grid.columns },
    ...influence,
  }));
}

/** How much the score falls from the first image to each of the others, and with units, how much each unit's does. */
export async function influencesOf(
  scorer: PairScorer,
  images: readonly ImageItem[],
  caption: string,
  units: readonly Unit[],
): Promise<PartInfluence[]> {
  const texts = [caption, ...units.map((_, i) => keep(caption, units, (unit) => unit !== i))];
  const outcomes = await scorer.outcomes(
    images.flatMap((one) => texts.map((text) => ({ text, image: one }))),
  );
  const scoreOf = (of: number, text: number): number | null => {
    const outcome = outcomes[of * texts.length + text];
    return outcome.ok ? outcome.value : null;
  };
  return images.slice(1).map((_, cell) => ({
    influence: minus(scoreOf(0, 0), scoreOf(cell + 1, 0)),
    ...(units.length === 0
      ? {}
      : {
          words: units.map((_unit, i) =>
            minus(
              minus(scoreOf(0, 0), scoreOf(0, i + 1)),
              minus(scoreOf(cell + 1, 0), scoreOf(cell + 1, i + 1)),
            ),
          ),
        }),
  }));
}

export function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
