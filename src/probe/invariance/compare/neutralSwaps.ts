/* How often a neutral word in place of another neutral word swaps the order of two scores: the control of other words. */
import type { Steps } from '../../../base/turns/steps';
import type { Metric, Slice } from '../../metric';
import { Cell } from '../cell';
import type { InvarianceRow } from '../row';
import { flipRiskMetrics } from '../rrf';

export const forNeutral: Slice = { against: 'another neutral word' };

export class NeutralSwaps {
  private readonly cell = new Cell();

  /** The neutral words that the row's other words replace, each replaced by every other neutral word. */
  add({ text, variants, object }: InvarianceRow, image: number): void {
    const neutral = variants.filter(({ family, natural }) => family === 'neutral' && natural === undefined);
    const replaced = new Set(
      variants.flatMap(({ axis, family, againstText }) =>
        axis === 'societal' && family !== 'neutral' ? (againstText ?? []) : [],
      ),
    );
    for (const own of neutral.filter((one) => one.text !== undefined && replaced.has(one.text)))
      for (const other of neutral)
        if (other.text !== own.text)
          this.cell.add({
            ...{ against: own.score, score: other.score, image, text },
            ...{ reference: own.text!, category: object?.category ?? '' },
          });
  }

  *metrics(width: number): Steps<Metric[]> {
    const { deltas, shifts, units } = this.cell;
    if (shifts.length === 0) return [];
    const sizes = deltas.map((delta) => delta / width);
    return yield* flipRiskMetrics('invariance.societal.neutral', sizes, units, forNeutral);
  }
}
