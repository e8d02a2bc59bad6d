import type { Steps } from '../../base/turns/steps';
import { Figure } from '../figure';
import type { Metric, Slice } from '../metric';

/** Collects a rate and the chance levels of its examples. */
export class Rate {
  readonly figure = new Figure();
  private sum: number | undefined = 0;

  compare(lead: number, cluster: number, chance?: number): void {
    this.figure.compare(lead, 0, cluster);
    if (this.sum !== undefined) this.sum = chance === undefined ? undefined : this.sum + chance;
  }

  /** The mean chance level of the examples. Undefined without examples, or if one's level is unknown. */
  get chance(): number | undefined {
    const { n } = this.figure;
    return this.sum === undefined || n === 0 ? undefined : this.sum / n;
  }

  *metric(id: string, slice?: Slice): Steps<Metric> {
    const metric = yield* this.figure.metric(id, { rate: true, ...(slice === undefined ? {} : { slice }) });
    return this.chance === undefined ? metric : { ...metric, chance: this.chance };
  }
}
