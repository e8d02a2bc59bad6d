import { say, type Words } from '../base/say';
import type { Example, ExampleForm } from './example';

/** What an inspection found, as far as one line says it. */
export interface Seen {
  title: string;
  form: ExampleForm;
  shapes: readonly { images: number; rightOf: readonly number[] }[];
}

/** "NegBench MCQ, 4 options, 1 right" */
export function readsAs({ title, form, shapes }: Seen): Words {
  const shape = shapes.at(0);
  if (shape === undefined || !['choice', 'crossed', 'triplet', 'pair'].includes(form)) return title;
  const right = shape.rightOf.filter((own) => own >= 0).length;
  return shape.images > 1
    ? say`${title}, ${shape.images} images, captions: ${shape.rightOf.length}, right: ${right}`
    : say`${title}, ${shape.rightOf.length} options, ${right} right`;
}

/** The same, from the first examples of a file. */
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

/** How many images an example has, and for each caption which of them it is right of; -1 where of none. */
export function shapeOf({ images, captions }: Pick<Example, 'images' | 'captions'>): {
  images: number;
  rightOf: number[];
} {
  return {
    images: images.length,
    rightOf: captions.map(({ role, image }) => (role === 'caption' ? image : -1)),
  };
}
