import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import { outlinesIn, readObjects } from '../../dataset/images/openImages';
import { findInstances, type Instance, type Instances, type Outlined } from '../../dataset/instances';
import { type ImageObject, mostObjects, type ObjectsToHide } from '../../explain/objects';
import { bitmapFor } from '../../explain/outlines';
import type { HiddenFill } from '../../perturb/image/hide';
import { areaOf, maskOf } from '../../perturb/image/mask';
import type { ImageItem } from '../../protocol/item';

/** The objects of the images of a dataset. Their file is read once, unless another one is named. */
export class OutlinedObjects {
  private known: Instances | undefined;

  constructor(private readonly dataset: string) {}

  /** Whether a file has an object of the image. */
  has({ source }: ImageItem, instances: string): boolean {
    return (outlinesIn(this.readOnce(instances), source.name, () => source)?.instances.length ?? 0) > 0;
  }

  /** Without a file of objects, the one next to the dataset is used. Throws if the image has no known objects. */
  in({ source }: ImageItem, fill: HiddenFill, instances?: string): ObjectsToHide {
    const path = instances ?? findInstances(this.dataset);
    if (path === undefined)
      throw inputError(say('explain.noObjectsFile'), say('explain.nameObjectsFile'), this.dataset);
    const outlined = outlinesIn(this.readOnce(path), source.name, () => source);
    const found = outlined && objectsIn(outlined, fill);
    if (found === undefined || found.objects.length === 0)
      throw inputError(say('explain.noObjectsInImage', source.name), say('explain.gridInstead'), path);
    return found;
  }

  private readOnce(path: string): Instances {
    if (this.known?.path !== path) this.known = readObjects(path);
    return this.known;
  }
}

/** The objects of an image, the largest first. Objects without an outline are their boxes. */
export function objectsIn({ width, height, instances }: Outlined, fill: HiddenFill): ObjectsToHide {
  const drawn = instances.flatMap((instance) => {
    const bitmap = bitmapFor(instance, width, height);
    const area = areaOf(bitmap);
    return area === 0 ? [] : [{ instance, bitmap, area }];
  });
  drawn.sort((a, b) => b.area - a.area);
  const kinds = new Map<string, number>();
  const kindOf = ({ label, crowd }: Instance): string => (crowd ? `${label} (group)` : label);
  for (const { instance } of drawn) kinds.set(kindOf(instance), (kinds.get(kindOf(instance)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const objects = drawn.slice(0, mostObjects).map(({ instance, bitmap, area }): ImageObject => {
    const kind = kindOf(instance);
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    return {
      name: kinds.get(kind) === 1 ? kind : `${kind} ${number}`,
      ...{ box: instance.box, mask: maskOf(bitmap), share: area / (width * height) },
    };
  });
  return { fill, width, height, objects, leftOut: drawn.length - objects.length };
}
