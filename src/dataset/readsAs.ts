import { say, type Words } from '../base/say';
import type { ExampleForm } from './example';

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
