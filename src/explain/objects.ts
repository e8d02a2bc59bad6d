/* The influence of the objects of an image, each hidden in turn. */
import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import type { HiddenFill } from '../perturb/image/hide';
import type { Mask } from '../perturb/image/mask';
import { influencesOf, type PartInfluence, seesRegions } from './regions';
import type { PairScorer } from './scorer';
import type { Unit } from './units';

/** The most objects of an image that are hidden, the largest first. */
export const mostObjects = 100;

export interface ImageObject {
  /** With a number if the image has several of a kind: "person 2". */
  name: string;
  /** x, y, width, height, in pixels. */
  box: readonly [number, number, number, number];
  mask: Mask;
  /** The object's share of the image. */
  share: number;
}

export interface ObjectsToHide {
  fill: HiddenFill;
  /** The size of the image that boxes are in. */
  width: number;
  height: number;
  objects: readonly ImageObject[];
  /** The number of smaller objects beyond the limit. */
  leftOut: number;
}

export interface ObjectInfluence extends PartInfluence, Omit<ImageObject, 'mask'> {}

export interface ObjectsExplained extends Omit<ObjectsToHide, 'objects'> {
  found: ObjectInfluence[];
}

/** The influence of each object on the score of a caption, and with units, on the influence of each. */
export async function explainObjects(
  scorer: PairScorer,
  caption: string,
  { objects, ...rest }: ObjectsToHide,
  units: readonly Unit[],
): Promise<ObjectsExplained> {
  const { target, evaluator } = scorer;
  if ('text' in target || !seesRegions(evaluator))
    throw new CaptiousError('usage', say('explain.scoresNoImages', evaluator.info.name), {
      remedy: say('explain.chooseScoring'),
    });
  const { image } = target;
  const fill = rest.fill === 'black' ? {} : { fill: rest.fill };
  const hidden = objects.map(({ mask }) => ({
    ...image,
    transforms: [...image.transforms, { op: 'conceal' as const, ...fill, mask }],
  }));
  const found = await influencesOf(scorer, [image, ...hidden], caption, units);
  return {
    ...rest,
    found: objects.map(({ name, box, share }, i) => ({ name, box, share, ...found[i] })),
  };
}
