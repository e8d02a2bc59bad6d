import { say, type Words } from '../base/say';
import type { Example, ExampleForm } from './example';

/** The parts of an inspection that the one-line summary needs. */
export interface Seen {
  title: Words;
  form: ExampleForm;
  shapes: readonly { images: number; rightOf: readonly number[] }[];
}

/** A summary such as "NegBench MCQ, 4 options, 1 right". */
export function readsAs({ title, form, shapes }: Seen): Words {
  const shape = shapes.at(0);
  if (shape === undefined || !['choice', 'crossed', 'triplet', 'pair'].includes(form)) return title;
  if (shape.rightOf.length < 2 && shape.images < 2) return title;
  const right = shape.rightOf.filter((own) => own >= 0).length;
  return shape.images > 1
    ? say('dataset.readAsGrid', title, shape.images, shape.rightOf.length, right)
    : say('dataset.readAsOptions', title, shape.rightOf.length, right);
}

/** The summary of a file's first examples. */
export function readsAsFirst(dataset: Pick<Seen, 'title' | 'form'>, examples: readonly Example[]): Words {
  const counts = new Map<string, { images: number; rightOf: number[]; count: number }>();
  for (const example of examples) {
    const shape = shapeOf(example);
    const key = `${shape.images}:${shape.rightOf.join()}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...shape, count: 1 });
    else known.count++;
  }
  return readsAs({ ...dataset, shapes: [...counts.values()].sort((a, b) => b.count - a.count) });
}

/** The number of images of an example, and the right image of each caption (-1 unless the role is `caption`). */
export function shapeOf({ images, captions }: Pick<Example, 'images' | 'captions'>): {
  images: number;
  rightOf: number[];
} {
  return {
    images: images.length,
    rightOf: captions.map(({ role, image }) => (role === 'caption' ? image : -1)),
  };
}
