import type { Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Plan } from '../../probe/probe';

/**
 * Adds references to pairs with an image but no references: the example's references, or else the reference captions
 * of the image. Both without the example's captions, but people's ratings keep the references that people's data name.
 * Examples of the forms `captions` and `altered` get none: each of their pairs leaves out its own caption.
 */
export function withReferences(
  plan: Plan,
  example: Example,
  { references }: Pick<Evaluator, 'references'>,
): Plan {
  if (references === undefined || example.form === 'captions' || example.form === 'altered') return plan;
  const own = new Set(example.captions.map(({ text }) => text.trim()));
  const isRated = example.form === 'rating' || example.form === 'preference';
  const others = (name: string): readonly string[] =>
    isRated && example.references !== undefined
      ? example.references
      : (example.references ?? references.of(name)).filter((text) => !own.has(text.trim()));
  return {
    ...plan,
    wants: plan.wants.map((want) =>
      want.references !== undefined || want.left.kind === 'text'
        ? want
        : { ...want, references: others(want.left.source.name) },
    ),
  };
}
