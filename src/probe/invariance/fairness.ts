/** Measures how the effects of a family's words differ, and how the effects of frequent and rare words differ. */
import { english, say } from '../../base/say';
import { append } from '../../base/append';
import { frequencyOf } from '../../perturb/words/fit';
import { frequencyBand, frequencyBands } from '../../perturb/words/frequencyBand';
import { median } from '../../stats/summary';
import type { Metric } from '../metric';
import { Cell, type Shift } from './cell';

/** The largest minus the smallest median change of a family's words, in percentage points. */
export function gapMetric(id: string, words: readonly { name: string; values: readonly number[] }[]): Metric {
  const medians = words
    .filter(({ values }) => values.length > 0)
    .map(({ name, values }) => ({ name, value: median(values) }))
    .sort((a, b) => a.value - b.value);
  const metric: Metric = { id, value: null, n: words.reduce((sum, { values }) => sum + values.length, 0) };
  if (medians.length < 2) return { ...metric, note: english(say`Fewer than two words were scored.`) };
  const [least, most] = [medians[0], medians[medians.length - 1]];
  const said = ({ name, value }: { name: string; value: number }): string =>
    `${name} (${value.toFixed(2)} %)`;
  return {
    ...metric,
    value: most.value - least.value,
    note: english(
      say`From ${said(least)} to ${said(most)}. No interval: the largest and the smallest of several medians are biased estimates.`,
    ),
  };
}

/** How words for invisible properties change the score, grouped by the words' frequency in captions. */
export class ByFrequency {
  private readonly cells = new Map(frequencyBands.map(({ name }) => [name, new Cell()]));

  add(word: string, shift: Shift): void {
    this.cells.get(frequencyBand(frequencyOf(word.toLowerCase())))!.add(shift);
  }

  metrics(): Metric[] {
    const metrics: Metric[] = [];
    for (const [frequency, cell] of this.cells)
      if (cell.shifts.length > 0) append(metrics, cell.medians('invariance.societal', { frequency }));
    return metrics;
  }
}
