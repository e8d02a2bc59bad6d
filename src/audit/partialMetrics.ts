import type { Metric } from '../probe/metric';
import type { Standing } from './events';
import type { EvaluatorRun } from './scoring/pairRun';

/** More frequent updates would be unreadable and slow. */
const everyMs = 2000;

/** Reports the metrics that a gallery probe has so far for each evaluator. They have no intervals. */
export class GalleryMetrics {
  private readonly standings = new Map<string, Standing>();
  private toldAt: number;

  constructor(
    private readonly report: (partialMetrics: Standing[]) => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.toldAt = now();
  }

  wantsMetrics(): boolean {
    return this.now() - this.toldAt >= everyMs;
  }

  tell(evaluator: string, examples: number, metrics: readonly Metric[]): void {
    const whole = metrics.filter(({ slice }) => slice === undefined);
    this.standings.set(evaluator, {
      evaluator,
      examples,
      metrics: whole.map((metric) => ({ ...metric, ci: undefined })),
    });
    this.toldAt = this.now();
    this.report([...this.standings.values()]);
  }
}

/** Reports a run's metrics so far: at once, then at most every two seconds. */
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
