import { say } from '../base/say';
import { normalSurvival } from './normal';
import { finite, notDefined, sameLength, type Outcome } from './outcome';
import { rankWithTies } from './summary';

export interface WilcoxonOptions {
  /** Whether zeros are dropped before ranking ('wilcox') or after ranking ('pratt'). */
  zeros?: 'wilcox' | 'pratt';
  /**
   * 'auto' chooses as SciPy does: exact for up to 50 differences (13 with ties or zeros), and normal for more.
   * 'exact' with ties covers all 2^n combinations of signs of the tied ranks.
   */
  method?: 'auto' | 'exact' | 'normal';
  /** Whether the normal approximation has a continuity correction. */
  correction?: boolean;
}

export interface WilcoxonTest {
  /** The smaller rank sum. */
  statistic: number;
  positive: number;
  negative: number;
  /** The two-sided p value. */
  pValue: number;
  method: 'exact' | 'normal';
  zeros: number;
}

const mostForExact = 400;

/** Tests whether differences are symmetric about zero. */
export function wilcoxonSignedRank(
  differences: ArrayLike<number>,
  { zeros = 'wilcox', method = 'auto', correction = false }: WilcoxonOptions = {},
): Outcome<WilcoxonTest> {
  const all = finite(differences);
  const zeroCount = all.reduce((count, d) => count + (d === 0 ? 1 : 0), 0);
  if (zeroCount === all.length) return notDefined(say('stats.differencesZero'));
  const kept = zeros === 'wilcox' ? all.filter((d) => d !== 0) : all;
  const n = kept.length;
  const { ranks, ties } = rankWithTies(kept.map(Math.abs));
  let positive = 0;
  let negative = 0;
  kept.forEach((d, i) => {
    if (d > 0) positive += ranks[i];
    if (d < 0) negative += ranks[i];
  });
  const untied = zeroCount === 0 && ties.length === 0;
  const exact = method === 'exact' || (method === 'auto' && all.length <= (untied ? 50 : 13));
  if (exact && n > mostForExact)
    throw new RangeError(`The exact test is for ${mostForExact} differences at most, not ${n}.`);
  const counts = { statistic: Math.min(positive, negative), positive, negative, zeros: zeroCount };
  if (exact) {
    const signed = ranks.filter((_, i) => kept[i] !== 0);
    return { ...counts, pValue: exactP(signed, counts.statistic), method: 'exact' };
  }
  let centre = (n * (n + 1)) / 4;
  let spread = n * (n + 1) * (2 * n + 1);
  let tied = ties;
  if (zeros === 'pratt' && zeroCount > 0) {
    centre -= (zeroCount * (zeroCount + 1)) / 4;
    spread -= zeroCount * (zeroCount + 1) * (2 * zeroCount + 1);
    // Zeros have the smallest absolute value, so two or more zeros are the first group of ties.
    if (zeroCount > 1) tied = ties.slice(1);
  }
  for (const t of tied) spread -= (t * t * t - t) / 2;
  const deviation = Math.sqrt(spread / 24);
  const away = Math.abs(positive - centre);
  const z = (correction && away > 0 ? away - 0.5 : away) / deviation;
  return { ...counts, pValue: 2 * normalSurvival(Math.abs(z)), method: 'normal' };
}

/** The Wilcoxon signed-rank test of a and b. */
export function wilcoxonPaired(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: WilcoxonOptions = {},
): Outcome<WilcoxonTest> {
  sameLength(a, b);
  const second = finite(b);
  return wilcoxonSignedRank(
    finite(a).map((value, i) => value - second[i]),
    options,
  );
}

/** Twice the probability of a rank sum of at most `statistic`, with all signs equally likely. */
function exactP(ranks: Float64Array, statistic: number): number {
  // Tied ranks are multiples of one half, so doubled ranks can be indices.
  const total = ranks.reduce((sum, rank) => sum + 2 * rank, 0);
  let chance = new Float64Array(total + 1);
  chance[0] = 1;
  let reach = 0;
  for (const rank of ranks) {
    const step = 2 * rank;
    reach += step;
    const next = new Float64Array(total + 1);
    for (let s = 0; s <= reach; s++) next[s] = (chance[s] + (s >= step ? chance[s - step] : 0)) / 2;
    chance = next;
  }
  let tail = 0;
  for (let s = 0; s <= 2 * statistic; s++) tail += chance[s];
  return Math.min(1, 2 * tail);
}
