/** Measures how the effects of frequent and rare words differ. */
import { append } from '../../base/lists';
import type { Steps } from '../../base/turns/steps';
import { frequencyOf } from '../../perturb/words/fit';
import { frequencyBand, frequencyBands } from '../../perturb/words/frequencyBand';
import type { Metric } from '../metric';
import { Cell, type Shift } from './cell';

/** How words for invisible properties change the score, grouped by the words' frequency in captions. */
export class ByFrequency {
  private readonly cells = new Map(frequencyBands.map(({ name }) => [name, new Cell()]));

  add(word: string, shift: Shift): void {
    this.cells.get(frequencyBand(frequencyOf(word.toLowerCase())))!.add(shift);
  }

  *metrics(): Steps<Metric[]> {
    const metrics: Metric[] = [];
    for (const [frequency, cell] of this.cells)
      if (cell.shifts.length > 0) append(metrics, yield* cell.medians('invariance.societal', { frequency }));
    return metrics;
  }
}
