/** Draws a stratified sample of variants. Avoids repeated images where possible. */
import { usageError } from '../base/errors';
import { Random } from '../base/random';
import { say } from '../base/say';
import type { Sampled } from '../protocol/sampled';
import { addTo } from '../base/lists';

export interface SampleOptions {
  /** The number of items from each family that `quotas` does not list. */
  perFamily: number;
  quotas: Readonly<Record<string, number>>;
  seed: number;
  /** If set, the sample is also stratified by the frequency of the rarest added word (see `rarestBand`). */
  strata?: 'frequency';
}

export interface Candidate {
  family: string;
  stratum: string;
  image: string;
  /** The candidate's rank in each of two orders. The sample takes the lowest rank of each order in turn. */
  ranks?: readonly [number, number];
  /** Makes the item. Called only for drawn candidates, because a report can have millions of variants. */
  item: () => Sampled;
}

/** A family with fewer items than requested. */
export interface Short {
  family: string;
  items: number;
  wanted: number;
}

export interface Drawn {
  items: Sampled[];
  short: Short[];
}

export function drawFrom(candidates: readonly Candidate[], options: SampleOptions): Drawn {
  const { perFamily, quotas, seed } = options;
  const byFamily = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    addTo(byFamily, candidate.family, candidate);
  }
  if (candidates.length === 0 && Object.keys(quotas).length > 0)
    throw usageError(say('sessions.noVariants'), say('sessions.chooseReportWithVariants'));
  for (const family of Object.keys(quotas))
    if (!byFamily.has(family))
      throw usageError(
        say('sessions.noVariantsOfFamily', family),
        say('base.chooseName', [...byFamily.keys()].join(', ')),
      );
  const short: Short[] = [];
  const drawn = [...byFamily].flatMap(([family, own]) => {
    const wanted = quotas[family] ?? perFamily;
    const items = spread(own, wanted, new Random(seed, family, 'human check'));
    if (items.length < wanted) short.push({ family, items: items.length, wanted });
    return items;
  });
  return { items: new Random(seed, 'order of the human check').shuffle(drawn), short };
}

/** Draws one candidate per stratum in turn, until the quota is reached or all strata are empty. */
function spread(candidates: readonly Candidate[], quota: number, random: Random): Sampled[] {
  const strata = strataOf(random.shuffle(candidates));
  const shown = new Map<string, number>();
  const chosen = new Set<Candidate>();
  let left = true;
  while (left && chosen.size < quota) {
    left = false;
    for (const { members, rank } of strata) {
      const open = members.filter((one) => !chosen.has(one));
      if (chosen.size === quota || open.length === 0) continue;
      left = true;
      const cost = (one: Candidate): number => rank(one) * candidates.length + (shown.get(one.image) ?? 0);
      const best = open.reduce((least, one) => (cost(one) < cost(least) ? one : least));
      chosen.add(best);
      shown.set(best.image, (shown.get(best.image) ?? 0) + 1);
    }
  }
  return [...chosen].map(({ item }) => item());
}

function strataOf(
  candidates: readonly Candidate[],
): { members: Candidate[]; rank: (one: Candidate) => number }[] {
  const byName = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    addTo(byName, candidate.stratum, candidate);
  }
  return [...byName.keys()].sort().flatMap((name) => {
    const members = byName.get(name)!;
    if (members[0].ranks === undefined) return [{ members, rank: () => 0 }];
    return ([0, 1] as const).map((order) => ({
      members,
      rank: ({ ranks }: Candidate) => ranks?.[order] ?? 0,
    }));
  });
}
