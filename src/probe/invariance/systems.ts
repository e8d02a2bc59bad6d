import { bcaInterval } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import { intervalSeed } from '../figure';
import type { InvarianceRow } from './row';

export interface SystemsRisk {
  /** The number of images with captions by both systems, and of pairs of image and transform. */
  photos: number;
  pairs: number;
  /** Each system's mean score on unchanged images, and their difference. */
  means: [number, number];
  gap: number;
  /** The 95 % interval over images. */
  gapCi?: readonly [number, number];
  /** The share of pairs in which A − B and the unchanged A − B differ in sign (eq. 1). */
  value: number;
  ci?: readonly [number, number];
  /** Images with equal scores before the change. Any later difference counts as a change of sign. */
  ties: number;
  byTransform: {
    transform: string;
    n: number;
    value: number;
    /** The mean of A − B over images with this transform, before and after. */
    before: number;
    gap: number;
    overtakes: boolean;
  }[];
  words: string;
}

/**
 * How often two captioning systems swap ranks under meaning-preserving image changes; undefined without
 * common images.
 */
export function riskBetween(
  a: readonly InvarianceRow[],
  b: readonly InvarianceRow[],
): SystemsRisk | undefined {
  const first = byPhoto(a);
  const second = byPhoto(b);
  const shared = [...first.keys()].filter((photo) => second.has(photo)).sort();
  const flips: number[] = [];
  const photos: number[] = [];
  const byTransform = new Map<string, { flips: number[]; before: number[]; gaps: number[] }>();
  const unchanged: [number, number][] = [];
  for (const [number, photo] of shared.entries()) {
    const [one, other] = [first.get(photo)!, second.get(photo)!];
    const before = one.score! - other.score!;
    unchanged.push([one.score!, other.score!]);
    for (const variant of one.variants) {
      if (variant.axis !== 'spatial') continue;
      const same = other.variants.find(
        ({ axis, family, variant: name }) =>
          axis === 'spatial' && family === variant.family && name === variant.variant,
      );
      if (same === undefined) continue;
      const after = variant.score - same.score;
      const flip = Math.sign(after) === Math.sign(before) ? 0 : 1;
      flips.push(flip);
      photos.push(number);
      const name = `${variant.family} ${variant.variant}`.trim();
      const group = byTransform.get(name) ?? { flips: [], before: [], gaps: [] };
      group.flips.push(flip);
      group.before.push(before);
      group.gaps.push(after);
      byTransform.set(name, group);
    }
  }
  if (flips.length === 0) return undefined;
  const means: [number, number] = [mean(unchanged.map(([x]) => x)), mean(unchanged.map(([, y]) => y))];
  const gap = means[0] - means[1];
  const risk: SystemsRisk = {
    photos: shared.length,
    pairs: flips.length,
    means,
    gap,
    value: mean(flips),
    ties: unchanged.filter(([x, y]) => x === y).length,
    byTransform: [...byTransform].map(([transform, group]) => {
      const [was, is] = [mean(group.before), mean(group.gaps)];
      return {
        transform,
        n: group.flips.length,
        value: mean(group.flips),
        before: was,
        gap: is,
        overtakes: Math.sign(is) !== Math.sign(was),
      };
    }),
    words: '',
  };
  const interval = bcaInterval({ values: flips, clusters: photos, statistic: 'mean', seed: intervalSeed });
  if (isDefined(interval)) risk.ci = [interval.low, interval.high];
  const gaps = unchanged.map(([x, y]) => x - y);
  const lead = bcaInterval({ values: gaps, statistic: 'mean', seed: intervalSeed });
  if (isDefined(lead)) risk.gapCi = [lead.low, lead.high];
  risk.words = wordsOf(risk);
  return risk;
}

/** The first caption of each image, because a system writes one caption per image. */
function byPhoto(rows: readonly InvarianceRow[]): Map<string, InvarianceRow> {
  const found = new Map<string, InvarianceRow>();
  for (const row of rows) {
    const photo = row.image ?? row.example;
    if (row.source === 'dataset' && row.score !== null && !found.has(photo)) found.set(photo, row);
  }
  return found;
}

/** A system leads if the interval excludes zero. Without an interval, any difference is enough. */
function wordsOf({ photos, value, ci, gap, gapCi, byTransform }: SystemsRisk): string {
  const turned = byTransform.filter(({ overtakes }) => overtakes).map(({ transform }) => transform);
  const often = `On ${photos} images, the better of the two captions changes in ${percent(value)} of cases${ci === undefined ? '' : ` (95 %: ${percent(ci[0])} to ${percent(ci[1])})`} when the image changes but not what it shows.`;
  if (gap === 0) return `${often} On average both have the same score: this evaluator does not rank them.`;
  const leader = gap > 0 ? 'A' : 'B';
  const lead = `${leader} scores ${Math.abs(gap).toFixed(4)} higher on average${gapCi === undefined ? '' : ` (A − B: ${gapCi.map((end) => end.toFixed(4)).join(' to ')})`}`;
  if (gapCi !== undefined && gapCi[0] <= 0 && gapCi[1] >= 0)
    return `${often} ${lead}, which is not significant on ${photos} images. Do not rank the two systems with this evaluator: score more images, or use another evaluator.`;
  return turned.length > 0
    ? `${often} ${lead}. The order of the averages reverses with: ${turned.join(', ')}. Do not rank the two systems with this evaluator alone.`
    : `${often} ${lead}. The order of the averages stays the same with all ${byTransform.length} transforms. The order of single captions can still change.`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
