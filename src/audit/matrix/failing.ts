/* What happens with the other evaluators and probes of a run when one fails. */
import { append } from '../../base/lists';
import type { CaptiousError } from '../../base/errors';
import type { Evaluator } from '../../evaluator/evaluator';
import type { AuditEvent } from '../events';
import type { Job } from '../probeRun';
import { isOfEvaluator } from '../evaluators/usable';
import type { WrittenReport } from '../output/writtenReport';

export interface Failing {
  /** The error if it concerns one evaluator. Undefined or throws if the run must end. */
  errorOf(thrown: unknown): CaptiousError | undefined;
  /** Excludes an evaluator. Throws if nothing remains to run. */
  failed(evaluator: Evaluator, error: CaptiousError): void;
}

/** Without a matrix, the run continues without broken evaluators until none is left. */
export function whileOneWorks(
  working: Evaluator[],
  broken: CaptiousError[],
  onEvent: (event: AuditEvent) => void,
): Failing {
  return {
    errorOf: (thrown) => (isOfEvaluator(thrown) ? thrown : undefined),
    failed(evaluator, error) {
      if (working.length === 1) throw error;
      working.splice(working.indexOf(evaluator), 1);
      broken.push(error);
      onEvent({ type: 'notice', message: error.describe() });
    },
  };
}

/** Runs a probe with all evaluators. If an evaluator fails, runs the probe with each evaluator alone. */
export async function withoutBroken(
  job: Job,
  failing: Failing,
  run: (job: Job) => Promise<WrittenReport[]>,
): Promise<WrittenReport[]> {
  const evaluators = [...job.evaluators];
  const written: WrittenReport[] = [];
  try {
    return await run(job);
  } catch (thrown) {
    const error = failing.errorOf(thrown);
    if (error === undefined) throw thrown;
    if (evaluators.length === 1) {
      failing.failed(evaluators[0], error);
      return written;
    }
  }
  for (const evaluator of evaluators) {
    try {
      append(written, await run({ ...job, evaluators: [evaluator] }));
    } catch (thrown) {
      const error = failing.errorOf(thrown);
      if (error === undefined) throw thrown;
      failing.failed(evaluator, error);
    }
  }
  return written;
}
