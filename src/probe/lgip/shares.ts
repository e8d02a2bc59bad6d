import { plainMean } from '../../stats/summary';
import type { Share } from '../probe';
import type { LgipRow, LgipVariant } from './row';

/**
 * The mean drop of the score for a caption's flips (of one type, if given), minus the mean size of its change for the
 * caption's paraphrases. Undefined if the caption lacks flips or paraphrases.
 */
export function marginOf(variants: readonly LgipVariant[], type?: string): number | undefined {
  const change = changeOf(variants);
  const gaps = variants.flatMap(({ family, kind, gap }) =>
    family === 'flip' && (type === undefined || kind === type) && gap !== undefined ? [gap] : [],
  );
  return change === undefined || gaps.length === 0 ? undefined : plainMean(gaps) - change;
}

/** The mean size of the score's change for a caption's paraphrases. Undefined if it has none. */
export function changeOf(variants: readonly LgipVariant[]): number | undefined {
  const moved = variants.flatMap(({ family, delta }) => (family === 'paraphrase' ? [Math.abs(delta)] : []));
  return moved.length === 0 ? undefined : plainMean(moved);
}

/** The means of one caption, which eq. 2, 4 and 5 average. Only flips of the paper count. */
export function lgipShares({ variants, score }: LgipRow): Share[] {
  if (score === null) return [];
  const shares: Share[] = [];
  const paraphrases = variants.filter(({ family }) => family === 'paraphrase');
  if (paraphrases.length > 0) {
    const moved = paraphrases.map(({ delta }) => Math.abs(delta));
    shares.push({ metric: 'lgip.inv', value: plainMean(moved), better: 'lower' });
  }
  const flips = variants.filter(({ family }) => family === 'flip');
  const margin = marginOf(variants);
  if (margin !== undefined) shares.push({ metric: 'lgip.margin', value: margin, better: 'higher' });
  add('', flips);
  for (const type of ['object', 'color', 'number']) {
    add(
      `.${type}`,
      flips.filter(({ kind }) => kind === type),
    );
  }
  return shares;

  function add(suffix: string, of: readonly LgipVariant[]): void {
    const gaps = of.flatMap(({ gap }) => (gap === undefined ? [] : [gap]));
    if (gaps.length === 0) return;
    shares.push({ metric: `lgip.sens${suffix}`, value: plainMean(gaps), better: 'higher' });
    shares.push({
      metric: `lgip.pr${suffix}`,
      value: plainMean(gaps.map((gap) => (gap > 0 ? 1 : 0))),
      better: 'higher',
    });
  }
}
