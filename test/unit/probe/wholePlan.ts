import type { Example } from '../../../src/dataset/example';
import type { PairProbe, Plan, PlanContext } from '../../../src/probe/probe';
import type { Row } from '../../../src/probe/metric';

/** The plan of an example, without pauses between its steps. */
export function wholePlan<P extends Plan, R extends Row>(
  probe: PairProbe<P, R>,
  example: Example,
  context: PlanContext,
): P {
  const made = probe.plan(example, context);
  if (!('next' in made)) return made;
  for (;;) {
    const step = made.next();
    if (step.done === true) return step.value;
  }
}
