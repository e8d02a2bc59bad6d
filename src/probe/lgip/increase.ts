import { english, say } from '../../base/say';
import { Column } from '../../base/column';
import { isDefined } from '../../stats/outcome';
import { imageInterval } from '../inference/interval';
import type { Metric } from '../metric';

/** The relative increase from one mean to another, (after − before) / before, with an interval over images. */
export class Increase {
  /** Four numbers per cluster: sum and count before, sum and count after. */
  private readonly sums = new Column(Float64Array);

  add(part: 'before' | 'after', value: number, cluster: number): void {
    while (4 * (cluster + 1) > this.sums.length) this.sums.push(0);
    const { data } = this.sums;
    const at = 4 * cluster + (part === 'before' ? 0 : 2);
    data[at] += value;
    data[at + 1]++;
  }

  /**
   * Computes the increase from the values of `before` and `after`, so that the report's three metrics agree to the
   * last digit.
   */
  metric(id: string, before: Metric, after: Metric): Metric {
    const metric: Metric = { id, value: null, n: after.n };
    if (after.images !== undefined) metric.images = after.images;
    if (before.value === null || after.value === null) {
      return { ...metric, note: english(say`This metric needs simple and advanced paraphrases.`) };
    }
    if (before.value === 0)
      return {
        ...metric,
        note: english(say`Simple paraphrases do not change the score, so the ratio is undefined.`),
      };
    metric.value = (after.value - before.value) / before.value;
    const sums = this.sums.filled;
    const interval = imageInterval({
      rows: sums.length / 4,
      statistic: (drawn) => {
        let [b, nb, a, na] = [0, 0, 0, 0];
        for (const cluster of drawn) {
          const at = 4 * cluster;
          b += sums[at];
          nb += sums[at + 1];
          a += sums[at + 2];
          na += sums[at + 3];
        }
        return (a / na - b / nb) / (b / nb);
      },
    });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  }
}
