/* Finds the pairs of a plan that need a score. An audit and the variants that it writes leave out the same moves. */
import type { Outcome } from '../../base/outcome';
import type { SeamMeter } from '../../evaluator/native/seamMeter';
import type { Seams } from '../../perturb/image/seams';
import type { PairProbe, Plan, ProbeBase } from '../../probe/probe';

export interface Checked<P> {
  planned: P;
  /** The seams of `plan.moved`. */
  seams: Outcome<Seams>[];
  /** The indexes in `plan.wants` of the pairs that need no score. */
  unneeded: ReadonlySet<number>;
}

/** Measures the seams around moved objects, in one call for all plans. */
export async function checkMoves<P extends { plan: Plan }>(
  probe: Pick<PairProbe, 'unneeded'> | ProbeBase,
  planned: readonly P[],
  meter: Pick<SeamMeter, 'measure'>,
  signal: AbortSignal,
): Promise<Checked<P>[]> {
  const seams = await meter.measure(
    planned.flatMap(({ plan }) => plan.moved ?? []),
    signal,
  );
  let at = 0;
  return planned.map((one) => {
    const { moved = [] } = one.plan;
    const own = seams.slice(at, (at += moved.length));
    const unneeded = 'unneeded' in probe && moved.length > 0 ? probe.unneeded?.(one.plan, own) : undefined;
    return { planned: one, seams: own, unneeded: unneeded ?? new Set() };
  });
}
