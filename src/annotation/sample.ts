import { CaptiousError } from '../base/errors';
import { Random } from '../base/random';
import { say } from '../base/say';
import {
  type InvarianceRow,
  type InvarianceVariant,
  isMainVariant,
  mainRows,
  transformsOf,
} from '../probe/invariance/row';
import { bins } from '../probe/invariance/objects';
import type { Change } from '../perturb/changeShape';
import type { Sampled } from '../protocol/sampled';

export interface SampleOptions {
  /** Items per family, unless the family has its own number. */
  perFamily: number;
  quotas: Readonly<Record<string, number>>;
  seed: number;
}

export function idOf(
  { example, caption }: InvarianceRow,
  { family, variant, natural }: InvarianceVariant,
): string {
  return JSON.stringify([example, caption ?? null, family, variant, natural ?? null]);
}

interface Candidate {
  item: Sampled;
  /** Index of the object's coverage bin. */
  bin: number;
}

/**
 * A sample stratified by family and variant that repeats images as rarely as possible. Blur, the texture
 * control, uses the smallest and largest objects only.
 */
export function drawSample(
  rows: readonly InvarianceRow[],
  { perFamily, quotas, seed }: SampleOptions,
): Sampled[] {
  const byFamily = new Map<string, Candidate[]>();
  for (const row of mainRows(rows)) {
    for (const variant of row.variants.filter(isMainVariant)) {
      const item = itemOf(row, variant);
      if (item === undefined) continue;
      const bin = bins.findIndex((name) => name === row.object?.bin);
      byFamily.set(variant.family, [...(byFamily.get(variant.family) ?? []), { item, bin }]);
    }
  }
  for (const family of Object.keys(quotas))
    if (!byFamily.has(family))
      throw new CaptiousError('usage', say`The report has no variants of the family "${family}".`, {
        remedy: say`Choose from: ${[...byFamily.keys()].join(', ')}.`,
      });
  const drawn = [...byFamily].flatMap(([family, candidates]) =>
    spread(family, candidates, quotas[family] ?? perFamily, new Random(seed, family, 'human check')),
  );
  return new Random(seed, 'order of the human check').shuffle(drawn);
}

function itemOf(row: InvarianceRow, variant: InvarianceVariant): Sampled | undefined {
  const { image } = row;
  if (image === undefined) return undefined;
  const { axis, family, variant: name, text, againstText } = variant;
  return {
    id: idOf(row, variant),
    axis,
    family,
    variant: name,
    original: { image, transforms: [], text: againstText ?? row.text },
    changed: { image, transforms: transformsOf(row, variant) as Change[], text: text ?? row.text },
  };
}

/** Takes one candidate from each stratum in turn until the quota is reached or the strata are empty. */
function spread(family: string, candidates: readonly Candidate[], quota: number, random: Random): Sampled[] {
  const strata = strataOf(family, random.shuffle(candidates));
  const shown = new Map<string, number>();
  const chosen = new Set<Sampled>();
  let left = true;
  while (left && chosen.size < quota) {
    left = false;
    for (const { members, rank } of strata) {
      const open = members.filter(({ item }) => !chosen.has(item));
      if (chosen.size === quota || open.length === 0) continue;
      left = true;
      const cost = ({ item, bin }: Candidate): number =>
        rank(bin) * candidates.length + (shown.get(item.original.image) ?? 0);
      const { item } = open.reduce((best, one) => (cost(one) < cost(best) ? one : best));
      chosen.add(item);
      shown.set(item.original.image, (shown.get(item.original.image) ?? 0) + 1);
    }
  }
  return [...chosen];
}

function strataOf(
  family: string,
  candidates: readonly Candidate[],
): { members: Candidate[]; rank: (bin: number) => number }[] {
  const names = [...new Set(candidates.map(({ item }) => item.variant))].sort();
  const ranks = family === 'blur' ? [(bin: number) => bin, (bin: number) => bins.length - bin] : [() => 0];
  return names.flatMap((name) =>
    ranks.map((rank) => ({ members: candidates.filter(({ item }) => item.variant === name), rank })),
  );
}
