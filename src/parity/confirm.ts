import { largest } from '../base/extent';
import { groupedBy } from '../base/lists';
import { studentQuantile } from '../stats/distributions';
import { standardDeviation, sum, variance } from '../stats/summary';
import type { Measurer } from './measurer';
import { squared } from './search';
import type { Change } from './change';
import type { Pair } from './difference';

/** A cause is named only if the sample has so many images. Half of them confirm what was found on the other half. */
export const leastImages = 20;
/** A cause is named only if it changes scores of so many images that it was not found on. */
export const leastActing = 5;
const level = 0.05;

/** Why a cause that was found on one half of the images is not named. */
export type Doubt = 'images' | 'acting' | 'interval' | 'share' | 'order' | 'mean';

/** A setting of A whose other value explains a part of the difference. Measured on images that it was not found on. */
export interface Cause extends Pick<Change, 'setting' | 'tower' | 'from' | 'to'> {
  /** The share of the squared difference that the change removes alone. Negative if it adds to the difference. */
  alone: number;
  /** The share of what remains without this change that it removes together with the others. */
  together: number;
  /** The interval of `together`, clustered by image and adjusted for the number of causes found. */
  interval: [low: number, high: number] | null;
  /** On how many images it changes a score. */
  acting: number;
}

export interface Confirmed {
  causes: Change[];
  scores: Float64Array;
  /** The largest difference that all causes together leave. */
  left: number;
  rated: Cause[];
  doubted: (Cause & { why: Doubt })[];
  removed: number | null;
}

interface Share {
  share: number;
  interval: [number, number] | null;
  acting: number;
}

/** Measures causes on the images that they were not found on. A cause that is not shown there is dropped. */
export async function confirm(
  measurer: Measurer,
  pairs: readonly Pair[],
  found: readonly Change[],
  { searched, rounding }: { searched: number; rounding: number },
): Promise<Confirmed> {
  const scoresOf = async (changes: readonly Change[]): Promise<ArrayLike<number>> =>
    (await measurer.scores(changes, pairs.length))?.scores ?? new Float64Array(pairs.length).fill(Infinity);
  const target = measurer.target;
  const images = [
    ...groupedBy([...pairs.keys()].slice(searched), (i) => pairs[i].image.source.name).values(),
  ];
  const hasEnough = new Set(pairs.map(({ image }) => image.source.name)).size >= leastImages;
  const base = await scoresOf([]);
  let causes = [...found];
  // Too few images show these. The other causes are measured with them, because what they remove would hide the rest.
  const unproven: Change[] = [];
  const doubted: Confirmed['doubted'] = [];
  const rate = async (change: Change): Promise<{ cause: Cause; why: Doubt | undefined }> => {
    const others = [...causes, ...unproven].filter((one) => one !== change);
    const [alone, all] = [await scoresOf([change]), await scoresOf([...others, change])];
    const without = await scoresOf(others);
    const isOrdered =
      (await measurer.scores([...others, change], pairs.length))?.isMonotone !== false ||
      change.score?.kind !== 'monotone';
    const own = shareOf(images, target, without, all, { rounding, found: found.length });
    const { setting, tower, from, to } = change;
    const cause: Cause = {
      ...{ setting, tower, from, to },
      alone: shareOf(images, target, base, alone, { rounding, found: 1 }).share,
      together: own.share,
      interval: own.interval,
      acting: own.acting,
    };
    return { cause, why: doubtOf(own, hasEnough) ?? (isOrdered ? undefined : 'order') };
  };
  for (const change of found) {
    const { cause, why } = await rate(change);
    if (why === undefined) continue;
    doubted.push({ ...cause, why });
    if (why === 'images' || why === 'acting') unproven.push(change);
    else causes = causes.filter((one) => one !== change);
  }
  causes = causes.filter((change) => !unproven.includes(change));
  const known = await scoresOf([...causes, ...unproven]);
  if (images.length > 0 && !predicts(known, target, searched, rounding)) {
    for (const change of causes) doubted.push({ ...(await rate(change)).cause, why: 'mean' });
    causes = [];
  }
  const { scores, scale } = (await measurer.scores(causes, pairs.length))!;
  const rated: Cause[] = [];
  for (const change of causes) {
    const { cause } = await rate(change);
    rated.push(change.setting === 'scale' && scale !== undefined ? { ...cause, to: scale } : cause);
  }
  rated.sort((a, b) => b.alone - a.alone);
  const from = images.length === 0 ? 0 : searched;
  const all = squared(scores, target, from, pairs.length);
  return {
    causes,
    scores,
    left: largest(Array.from(scores, (score, i) => Math.abs(score - target[i]))),
    rated,
    doubted,
    removed: causes.length === 0 ? null : 1 - all / squared(base, target, from, pairs.length),
  };
}

/** Whether less than half of the variance of B's scores is left, so that they have to do with those of A. */
function predicts(
  scores: ArrayLike<number>,
  target: readonly number[],
  from: number,
  rounding: number,
): boolean {
  const left = squared(scores, target, from, target.length);
  return left <= Math.max(rounding, variance(target.slice(from), 0) / 2);
}

function doubtOf({ share, interval, acting }: Share, hasEnough: boolean): Doubt | undefined {
  if (!hasEnough) return 'images';
  if (acting < leastActing) return 'acting';
  if (interval === null || interval[0] <= 0) return 'interval';
  return share > 1 / 2 ? undefined : 'share';
}

/**
 * The share of the squared difference of `before` that `after` removes. Its standard error is that of a jackknife over
 * images, with Student's t. The level is divided by the number of causes found (Bonferroni).
 */
function shareOf(
  images: readonly (readonly number[])[],
  target: readonly number[],
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  { rounding, found }: { rounding: number; found: number },
): Share {
  const total = (own: readonly number[], scores: ArrayLike<number>): number =>
    own.reduce((sum, i) => sum + (scores[i] - target[i]) ** 2, 0);
  const [u, v] = [after, before].map((scores) => images.map((own) => total(own, scores)));
  const acting = images.filter((own) => own.some((i) => (before[i] - after[i]) ** 2 > rounding)).length;
  const n = images.length;
  if (n === 0 || !v.every(Number.isFinite) || !u.every(Number.isFinite))
    return { share: 0, interval: null, acting };
  const [left, before0] = [sum(u), sum(v)];
  // Without a difference before the change, there is nothing that it could remove.
  if (before0 === 0) return { share: 0, interval: null, acting };
  const share = 1 - left / before0;
  const without = images.map((_, i) => 1 - (left - u[i]) / (before0 - v[i]));
  if (n < leastActing || !without.every(Number.isFinite)) return { share, interval: null, acting };
  const error = standardDeviation(without) * ((n - 1) / Math.sqrt(n));
  const reach = studentQuantile(1 - level / found / 2, n - 1) * error;
  return { share, interval: [share - reach, Math.min(1, share + reach)], acting };
}
