import { readFileSync } from 'node:fs';
import type { ReferencedCaption } from '../../../../src/evaluator/overlap/overlap';

/** Each caption of a COCO file, with the image's other captions as references. */
export function leaveOneOut(path: string): ReferencedCaption[] {
  const { annotations } = JSON.parse(readFileSync(path, 'utf8')) as {
    annotations: { image_id: number; caption: string }[];
  };
  const images = new Map<number, string[]>();
  for (const { image_id, caption } of annotations) {
    const own = images.get(image_id) ?? [];
    own.push(caption);
    images.set(image_id, own);
  }
  return [...images.values()].flatMap((own) =>
    own.map((caption, i) => ({ caption, references: own.filter((_, j) => j !== i) })),
  );
}
