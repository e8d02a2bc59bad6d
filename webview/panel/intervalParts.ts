import { scoreText } from '../../src/base/pValue';
import { say, type Words } from '../../src/base/say';
import type { Card, PanelMetric } from '../../src/protocol/panel';

/** How much of a metric's interval is from images and how much from draws, in the unit of the value beside it. */
export function intervalParts(
  { parts, ci }: Pick<PanelMetric, 'parts' | 'ci'>,
  style: Card['style'],
): Words | undefined {
  if (parts === undefined) return undefined;
  const { images, draws } = parts;
  if (style !== 'percent') return say('report.intervalParts', scoreText(images, ci), scoreText(draws, ci));
  const points = (half: number): string => (half * 100).toFixed(1);
  return say('report.intervalPartsInPoints', points(images), points(draws));
}
