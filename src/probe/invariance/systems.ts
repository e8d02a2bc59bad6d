import { bcaInterval } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import { intervalSeed } from '../figure';
import type { AuditRow } from './row';

export interface SystemsRisk {
  /** Photos both systems captioned, and pairs of a photo and a transform. */
  photos: number;
  pairs: number;
  /** Mean score of each, photos unchanged, and their difference. */
  means: [number, number];
  gap: number;
  /** The share of pairs in which the sign of A − B is another than on the unchanged photo (eq. 1). */
  value: number;
  ci?: readonly [number, number];
  /** Photos on which the two score the same to begin with; a sign that is lost or gained counts as changed. */
  ties: number;
  byTransform: { transform: string; n: number; value: number; gap: number; overtakes: boolean }[];
  words: string;
}

/** How often two captioning systems change places when photos change and what they show does not; undefined without a common photo. */
export function riskBetween(a: readonly AuditRow[], b: readonly AuditRow[]): SystemsRisk | undefined {
  const first = byPhoto(a);
  const second = byPhoto(b);
  const shared = [...first.keys()].filter((photo) => second.has(photo)).sort();
  const flips: number[] = [];
  const photos: number[] = [];
  const byTransform = new Map<string, { flips: number[]; gaps: number[] }>();
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
      const group = byTransform.get(name) ?? { flips: [], gaps: [] };
      group.flips.push(flip);
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
    byTransform: [...byTransform].map(([transform, group]) => ({
      transform,
      n: group.flips.length,
      value: mean(group.flips),
      gap: mean(group.gaps),
      overtakes: Math.sign(mean(group.gaps)) !== Math.sign(gap),
    })),
    words: '',
  };
  const interval = bcaInterval({ values: flips, clusters: photos, statistic: 'mean', seed: intervalSeed });
  if (isDefined(interval)) risk.ci = [interval.low, interval.high];
  risk.words = wordsOf(risk);
  return risk;
}

/** The first caption of each photo; a system gives one. */
function byPhoto(rows: readonly AuditRow[]): Map<string, AuditRow> {
  const found = new Map<string, AuditRow>();
  for (const row of rows) {
    const photo = row.image ?? row.example;
    if (row.source === 'dataset' && row.score !== null && !found.has(photo)) found.set(photo, row);
  }
  return found;
}

function wordsOf({ photos, value, ci, gap, byTransform }: SystemsRisk): string {
  const overtaken = byTransform.filter(({ overtakes }) => overtakes).map(({ transform }) => transform);
  const leader = gap > 0 ? 'A' : gap < 0 ? 'B' : undefined;
  const often = `On ${photos} photos the better of the two captions changes in ${percent(value)} of the cases${ci === undefined ? '' : ` (95 %: ${percent(ci[0])} to ${percent(ci[1])})`} when a photo is changed without changing what it shows.`;
  if (leader === undefined)
    return `${often} On average the two score the same: this evaluator does not rank them.`;
  return overtaken.length > 0
    ? `${often} ${leader} leads on the photos as they are, and no longer under: ${overtaken.join(', ')}. Do not rank the two by this evaluator alone.`
    : `${often} ${leader} leads on average, and stays ahead under each of ${byTransform.length} transforms: the order of the two stands, that of single captions need not.`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
