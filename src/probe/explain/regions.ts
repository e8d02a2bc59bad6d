/* How much of the influence of the image's regions is where its objects are. */
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { append } from '../../base/lists';
import { eachOf, type Steps } from '../../base/turns/steps';
import { outlinesIn, readObjects } from '../../dataset/images/openImages';
import { findInstances, type Instances, type Outlined } from '../../dataset/instances';
import { bitmapFor } from '../../explain/outlines';
import { usualOptions } from '../../explain/explain';
import { hiddenCells } from '../../explain/regions';
import { emptyBitmap } from '../../perturb/image/mask';
import type { ImageItem } from '../../protocol/item';
import { sum } from '../../stats/summary';
import { Figure } from '../figure';
import type { Metric } from '../metric';
import type { PlanContext, PrepareRequest } from '../probe';
import { wantsRegions } from './options';

const { rows, columns, fill } = usualOptions.grid!;

/** The file of objects next to the dataset. Undefined unless regions are asked for. */
export function prepareRegions({ datasetPath, options }: PrepareRequest): Instances | undefined {
  if (!wantsRegions(options)) return undefined;
  const path = findInstances(datasetPath);
  if (path === undefined)
    throw new CaptiousError('input', say('explain.noObjectsFile'), {
      at: datasetPath,
      remedy: say('explain.addObjectsFile'),
    });
  return readObjects(path);
}

export interface PlannedRegions {
  /** The image with each region hidden. */
  hidden: ImageItem[];
  /** The share of each region that objects cover. */
  covered: number[];
}

/** Undefined if the image has no known objects, or if they cover all of it or none, because no share would say anything. */
export function regionsOf(
  image: ImageItem,
  { beside }: Pick<PlanContext, 'beside'>,
): PlannedRegions | undefined {
  if (beside === undefined) return undefined;
  const outlined = outlinesIn(beside as Instances, image.source.name, () => image.source);
  if (outlined === undefined) return undefined;
  const covered = coverage(outlined);
  const all = sum(covered);
  if (all === 0 || all === covered.length) return undefined;
  return { hidden: hiddenCells(image, { rows, columns, fill }), covered };
}

/** The share of each region that one of the objects covers. The edges are those of hidden regions. */
function coverage({ width, height, instances }: Outlined): number[] {
  const any = emptyBitmap(width, height).data;
  for (const instance of instances)
    for (const [i, isObject] of bitmapFor(instance, width, height).data.entries()) any[i] |= isObject;
  const edge = (size: number, at: number, of: number): number => Math.round((size * at) / of);
  return Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const [left, right] = [edge(width, column, columns), edge(width, column + 1, columns)];
    const [top, bottom] = [edge(height, row, rows), edge(height, row + 1, rows)];
    let count = 0;
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) count += any[y * width + x];
    return count / Math.max(1, (right - left) * (bottom - top));
  });
}

/** `mass`: the share of the regions' influence that objects have. `area`: what it would be if all regions were alike. */
export interface RegionMass {
  mass: number;
  area: number;
}

/** Undefined if a score is missing, or if no region has an influence. */
export function massOf(
  score: number,
  hidden: ArrayLike<number>,
  { covered }: PlannedRegions,
): RegionMass | undefined {
  const sizes = covered.map((_, cell) => Math.abs(score - hidden[cell]));
  const all = sum(sizes);
  if (Number.isNaN(all) || all === 0) return undefined;
  return {
    mass: sum(sizes.map((size, cell) => size * covered[cell])) / all,
    area: sum(covered) / covered.length,
  };
}

export class RegionFigures {
  private readonly figures = new Map(
    ['mass', 'area', 'beyondArea'].map((name) => [name, new Figure()] as const),
  );
  private hasAny = false;

  add({ mass, area }: RegionMass, cluster: number): void {
    this.hasAny = true;
    this.figures.get('mass')!.add(mass, cluster);
    this.figures.get('area')!.add(area, cluster);
    this.figures.get('beyondArea')!.add(mass - area, cluster);
  }

  *metrics(): Steps<Metric[]> {
    const metrics: Metric[] = [];
    if (this.hasAny)
      append(
        metrics,
        yield* eachOf(this.figures, ([name, figure]) => figure.metric(`explain.region.${name}`)),
      );
    return metrics;
  }
}
