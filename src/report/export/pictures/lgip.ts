import type { LgipRow } from '../../../probe/lgip/row';
import type { Report } from '../../report';
import { bars, histogram } from '../chart';
import { barsOf } from './bars';

/** LGIP's: the breakdown by type of flip, by strength, and how the gaps are distributed. */
export async function lgipPictures({ metrics }: Report, rows: AsyncIterable<LgipRow>): Promise<string[]> {
  const gaps: number[] = [];
  for await (const { variants } of rows) {
    for (const { family, gap } of variants) if (family === 'flip' && gap !== undefined) gaps.push(gap);
  }
  const caught = (suffixes: readonly string[]) =>
    barsOf(
      suffixes.flatMap((suffix) => metrics.filter(({ id, slice }) => id === `lgip.pr.${suffix}` && !slice)),
      (metric) => metric.id.slice('lgip.pr.'.length),
    );
  const byType = caught(['object', 'color', 'number']);
  const byStrength = caught(['weak', 'medium', 'strong']);
  return [
    byType.length > 0 ? bars('Flips caught, by type', byType, 0.5) : '',
    byStrength.length > 0 ? bars('Flips caught, by strength', byStrength, 0.5) : '',
    histogram(
      'Gaps: the caption’s score minus its flip’s',
      'above zero the flip is caught',
      Float64Array.from(gaps),
    ),
  ];
}
