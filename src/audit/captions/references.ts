import { inTurns } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { PairProbe, Plan, PlanContext } from '../../probe/probe';

/** Plans an example in steps, with `pause` between them, and adds references to its pairs. */
export async function planOf(
  probe: Pick<PairProbe, 'plan'>,
  example: Example,
  context: PlanContext,
  evaluator: Pick<Evaluator, 'references'>,
  pause: () => Promise<void>,
): Promise<Plan> {
  const made = probe.plan(example, context);
  return withReferences('next' in made ? await inTurns(made, pause) : made, example, evaluator);
}

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
  const known = new Map<string, readonly string[]>();
  const others = (name: string): readonly string[] => {
    if (isRated && example.references !== undefined) return example.references;
    let found = known.get(name);
    if (found === undefined) {
      found = (example.references ?? references.of(name)).filter((text) => !own.has(text.trim()));
      known.set(name, found);
    }
    return found;
  };
  return {
    ...plan,
    wants: plan.wants.map((want) =>
      want.references !== undefined || want.left.kind === 'text'
        ? want
        : { ...want, references: others(want.left.source.name) },
    ),
  };
}
