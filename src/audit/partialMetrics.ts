import type { Standing } from './events';
import type { EvaluatorRun } from './pairs';

/** More frequent updates would be unreadable and cost time. */
const everyMs = 2000;

/** Reports the metrics of a run so far, first at once and then every two seconds at most. */
export class PartialMetrics {
  private toldAt = -Infinity;

  constructor(
    private readonly evaluatorRuns: readonly EvaluatorRun[],
    private readonly tell: (partialMetrics: Standing[]) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  maybeTell(): void {
    const now = this.now();
    if (now - this.toldAt < everyMs) return;
    const partialMetrics = this.evaluatorRuns
      .filter(({ examples }) => examples > 0)
      .map(({ evaluator, examples, summary }) => ({
        evaluator: evaluator.info.name,
        examples,
        metrics: summary.soFar(),
      }));
    if (partialMetrics.length === 0) return;
    this.toldAt = now;
    this.tell(partialMetrics);
  }
}
