import type { Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Plan } from '../../probe/probe';

/**
 * Adds references to pairs with an image but no references: the example's references, or else the reference captions
 * of the image, without the example's captions. Examples of the forms `captions` and `altered` get no references.
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
