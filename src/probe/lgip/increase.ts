/* Divides paraphrases into simple and advanced, and measures the increase of the error from simple to advanced. */
import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { Column } from '../../base/column';
import { isDefined } from '../../stats/outcome';
import { furtherLanguages } from '../../perturb/text/fileLanguage';
import { imageInterval } from '../inference/interval';
import type { Metric } from '../metric';
import type { LgipOptions } from './options';
import type { LgipVariant } from './row';

/** The markers by which the paper recognises a simple paraphrase, in lower case. */
const simpleMarkers = [
  'a photo of',
  'an image of',
  'a picture of',
  'in this image',
  'in the picture',
  'this image shows',
] as const;

/**
 * With the literal rules, a paraphrase is simple if it contains a marker, as in the paper. Otherwise it is simple if
 * a template made it. The two differ for "{c} in the scene" and "a scene showing {c}", which have no marker.
 */
export function advancedBy(
  { asInPaper }: Pick<LgipOptions, 'asInPaper'>,
  language: string | undefined,
): (paraphrase: Pick<LgipVariant, 'kind' | 'text'>) => boolean {
  // The paper's markers are English.
  if (!asInPaper || (language !== undefined && furtherLanguages.includes(language)))
    return ({ kind }) => kind !== 'template';
  return ({ text }) => {
    const lower = text.toLowerCase();
    return !simpleMarkers.some((marker) => lower.includes(marker));
  };
}

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

  /** Computes the increase from the values of both, so that three metrics agree to the last digit. */
  *metric(id: string, before: Metric, after: Metric): Steps<Metric> {
    const metric: Metric = { id, value: null, n: after.n };
    if (after.images !== undefined) metric.images = after.images;
    if (before.value === null || after.value === null) {
      return { ...metric, note: say('lgip.needsBothParaphrases') };
    }
    if (before.value === 0) return { ...metric, note: say('lgip.simpleChangesZero') };
    metric.value = (after.value - before.value) / before.value;
    const sums = this.sums.filled;
    const interval = yield* imageInterval({
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
    else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  }
}
