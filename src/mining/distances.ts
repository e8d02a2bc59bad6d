import { pauses } from '../base/errors';
import { characterDistance, mostCompared, wordDistance } from '../base/text/levenshtein';
import { firstChoice, type HalfTriplet } from './half';
import { kindOf, type NegativeKind } from './negatives/kinds';

/** Edit distances between the captions of a triplet. P1 is the positive nearer to the negative N, as in the probe. */
export interface Distances {
  p1p2: number;
  p1n: number;
  p2n: number;
}

/** What the first candidates look like, for comparison with the published triplets. */
export interface MinedSummary {
  /** The number of triplets per kind of negative, most frequent first. */
  kinds: Partial<Record<NegativeKind, number>>;
  /** Means; undefined without a triplet. */
  characters?: Distances;
  words?: Distances;
  /** Triplets whose nearest pair is not P1 and N. Wording then does not compete with meaning. */
  notNearest: number;
}

export async function summaryOfMined(
  halves: readonly HalfTriplet[],
  signal?: AbortSignal,
): Promise<MinedSummary> {
  const pause = pauses(signal);
  const kinds = new Map<NegativeKind, number>();
  const [characters, words]: Distances[][] = [[], []];
  for (const half of halves) {
    await pause();
    const full = firstChoice(half);
    if (full === undefined) continue;
    const kind = kindOf(full.caption, half.negatives[0]);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const texts = [full.caption, full.second, full.negative] as const;
    if (texts.some(({ length }) => length > mostCompared)) continue;
    characters.push(distancesOf(texts, characterDistance));
    words.push(distancesOf(texts, wordDistance));
  }
  return {
    kinds: Object.fromEntries([...kinds].sort((a, b) => b[1] - a[1])),
    ...(characters.length === 0 ? {} : { characters: meanOf(characters), words: meanOf(words) }),
    notNearest: characters.filter((one) => !isNearest(one)).length,
  };
}

export function distancesOf(
  [caption, second, negative]: readonly [string, string, string],
  distance: (a: string, b: string) => number,
): Distances {
  const [p1n, p2n] = [distance(caption, negative), distance(second, negative)].sort((a, b) => a - b);
  return { p1p2: distance(caption, second), p1n, p2n };
}

/** Whether P1 and N differ less than any other two captions of the triplet. */
export function isNearest({ p1p2, p1n }: Pick<Distances, 'p1p2' | 'p1n'>): boolean {
  return p1n < p1p2;
}

function meanOf(all: readonly Distances[]): Distances {
  const mean = (key: keyof Distances): number => all.reduce((sum, one) => sum + one[key], 0) / all.length;
  return { p1p2: mean('p1p2'), p1n: mean('p1n'), p2n: mean('p2n') };
}
