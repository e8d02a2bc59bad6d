import type { Steps } from '../../../base/turns/steps';
import { isDefined } from '../../../stats/outcome';
import { median } from '../../../stats/summary';
import { imageInterval } from '../../inference/interval';

/** One element per pair of scores: the sizes of its change, before and after calibration. */
interface Sizes {
  families: readonly string[];
  images: readonly string[];
  before: Float64Array;
  after: Float64Array;
}

/** Adds the median sizes of all families. Returns the 95 % interval (over images) of this sum's change. */
export function* changeOfTotal({
  families,
  images,
  before,
  after,
}: Sizes): Steps<readonly [number, number] | undefined> {
  const names = [...new Set(families)];
  const family = Uint32Array.from(families, (name) => names.indexOf(name));
  const statistic = (rows: Uint32Array): number => {
    const values = names.map((): { before: number[]; after: number[] } => ({ before: [], after: [] }));
    for (const row of rows) {
      const own = values[family[row]];
      own.before.push(before[row]);
      own.after.push(after[row]);
    }
    // A family without an image in the sample contributes 0.
    return values
      .filter((own) => own.before.length > 0)
      .reduce((sum, own) => sum + median(own.after) - median(own.before), 0);
  };
  const interval = yield* imageInterval({
    rows: families.length,
    statistic,
    clusters: images,
    resamples: 2000,
  });
  return isDefined(interval) ? [interval.low, interval.high] : undefined;
}
