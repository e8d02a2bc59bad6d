import type { Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Plan } from '../../probe/probe';

/**
 * Adds references to image pairs without references, except in examples of the forms `captions` and `altered`.
 * The references are the example's, or else the image's captions that are not in the example.
 */
export function withReferences(
  plan: Plan,
  example: Example,
  { references }: Pick<Evaluator, 'references'>,
): Plan {
  if (references === undefined || example.form === 'captions' || example.form === 'altered') return plan;
  const own = new Set(example.captions.map(({ text }) => text.trim()));
  const others = (name: string): readonly string[] =>
    example.references ?? references.of(name).filter((text) => !own.has(text.trim()));
  return {
    ...plan,
    wants: plan.wants.map((want) =>
      want.references !== undefined || want.left.kind === 'text'
        ? want
        : { ...want, references: others(want.left.source.name) },
    ),
  };
}
