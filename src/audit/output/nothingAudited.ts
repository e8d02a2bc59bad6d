import { type CaptiousError, inputError } from '../../base/errors';
import { say } from '../../base/say';
import type { WrittenReport } from './writtenReport';

/** The error about a report without examples, which says nothing. */
export function nothingAudited({
  path,
  report: { probe, evaluator, dataset },
}: WrittenReport): CaptiousError {
  const most = [...dataset.leftOut].sort((a, b) => b.count - a.count).at(0);
  return inputError(
    most === undefined
      ? say('audit.noneAudited', probe, evaluator.id, dataset.skipped)
      : say('audit.noneAuditedReasons', probe, evaluator.id, dataset.skipped, most.count, most.reason),
    say('audit.reportListsReasons'),
    path,
  );
}
