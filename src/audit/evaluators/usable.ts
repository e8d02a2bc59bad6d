/* Leaves out the evaluators of a run that a probe cannot use, before anything is scored. */
import { CaptiousError } from '../../base/errors';
import type { Dataset } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import { sampled, unusable } from '../../probe/needs/needs';
import type { OptionValue, Probe } from '../../probe/probe';

export function isOfEvaluator(error: unknown): error is CaptiousError {
  return error instanceof CaptiousError && error.kind === 'evaluator';
}

/** The evaluators that each probe can use. `failed` hears of the others. */
export async function usableByProbe(
  options: ReadonlyMap<Probe, Readonly<Record<string, OptionValue>>>,
  evaluators: readonly Evaluator[],
  { dataset, limit, signal }: { dataset: Dataset; limit?: number; signal: AbortSignal },
  failed: (probe: Probe, evaluator: Evaluator, error: CaptiousError) => void,
): Promise<Map<Probe, readonly Evaluator[]>> {
  const examples: Example[] = [];
  for await (const example of dataset.read({ signal }))
    if (examples.push(example) >= Math.min(limit ?? sampled, sampled)) break;
  const usable = new Map<Probe, readonly Evaluator[]>();
  for (const [probe, own] of options) {
    const kept = evaluators.filter((evaluator) => {
      const error = unusable(probe, own, evaluator, examples);
      if (error !== undefined) failed(probe, evaluator, error);
      return error === undefined;
    });
    usable.set(probe, kept);
  }
  return usable;
}
