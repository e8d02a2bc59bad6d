import { english, say } from '../../base/say';
import { append } from '../../base/append';
import { median, quantile } from '../../stats/summary';
import type { Metric } from '../metric';
import { Cell, type Shift } from './cell';
import type { InvarianceRow, InvarianceVariant } from './row';

const filters: { name: string; of: (shift: Shift, edge: Edges) => boolean }[] = [
  { name: 'seam', of: ({ seam }, edge) => seam! > edge.seam },
  { name: 'background', of: ({ background }, edge) => background! > edge.background },
  { name: 'either', of: ({ seam, background }, edge) => seam! > edge.seam || background! > edge.background },
];

interface Edges {
  seam: number;
  background: number;
}

const prefix = 'invariance.spatial.reposition';

/** The range of a move's distance, as a share of the image's diagonal. Undefined for other changes. */
export function moveDistance(
  { object }: InvarianceRow,
  { transform }: InvarianceVariant,
): string | undefined {
  if (transform?.op !== 'move' || object?.mask === undefined) return undefined;
  const { width, height } = object.mask;
  const share = Math.hypot(transform.dx, transform.dy) / Math.hypot(width, height);
  return share < 0.05
    ? english(say`under 5 %`)
    : share < 0.15
      ? '5–15 %'
      : share < 0.25
        ? '15–25 %'
        : english(say`25 % or more`);
}

/**
 * Compares moves to the bottom right with moves to the top left: for all images, and without the most visibly
 * edited images.
 */
export function repositionMetrics(
  contrast: Cell,
  moved: readonly { seam: number | null; background: number | null }[],
  width: number,
): Metric[] {
  if (contrast.shifts.length === 0) return [];
  const metrics = contrast.all(`${prefix}.br-tl`, width);
  for (const share of [5, 10]) {
    const edge = (values: number[]): number => quantile(values, 1 - share / 100);
    const edges: Edges = {
      seam: edge(contrast.shifts.map(({ seam }) => seam!)),
      background: edge(contrast.shifts.map(({ background }) => background!)),
    };
    for (const { name, of } of filters) {
      const kept = new Cell();
      for (const shift of contrast.shifts) if (!of(shift, edges)) kept.add(shift);
      append(
        metrics,
        kept.medians(`${prefix}.br-tl`, { without: english(say`the top ${share} % by ${name}`) }),
      );
    }
  }
  return [
    ...metrics,
    middle(`${prefix}.backgroundChange`, moved, ({ background }) => background),
    middle(`${prefix}.seamRatio`, moved, ({ seam }) => seam),
  ];
}

function middle<T>(id: string, moved: readonly T[], of: (one: T) => number | null): Metric {
  const values = moved.map(of).filter((value) => value !== null);
  const note = english(say`Median over the images with a moved object.`);
  return values.length === 0
    ? { id, value: null, n: 0, note: english(say`No images.`) }
    : { id, value: median(values), n: values.length, note };
}
