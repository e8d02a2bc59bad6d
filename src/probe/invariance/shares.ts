import { plainMean } from '../../stats/summary';
import type { Share } from '../probe';
import { type InvarianceRow, isMainVariant } from './row';

/**
 * The mean size of a row's shifts, by axis and by family. Means are used because shares are averaged over rows.
 * As in metrics without a slice, generated captions of images with several objects do not count.
 */
export function invarianceShares({ source, objects, score, text, variants }: InvarianceRow): Share[] {
  if (score === null || (source === 'template' && objects !== 'single')) return [];
  const sizes = new Map<string, number[]>();
  for (const variant of variants.filter(isMainVariant)) {
    const { axis, family, delta } = variant;
    for (const id of [`invariance.${axis}`, `invariance.${axis}.${family}`])
      sizes.set(id, [...(sizes.get(id) ?? []), Math.abs(delta)]);
  }
  return [...sizes].map(([id, of]) => ({
    metric: `${id}.meanAbsDelta`,
    value: plainMean(of),
    better: 'lower',
    ...(id.startsWith('invariance.societal') ? { text } : {}),
  }));
}
