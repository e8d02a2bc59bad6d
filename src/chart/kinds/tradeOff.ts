import { axisAcross, axisHeight, axisUp, padded } from '../axes';
import type { Kind, Point } from '../chart';
import { dot, line, scaled, type Shape, shortened, textWidth, words } from '../drawing';
import type { Layout } from '../layout';

const left = 64;

/**
 * Points with intervals, and their frontier. A point is on the frontier if no other point is better on both
 * axes (less x, more y).
 */
export function tradeOff({ x: xAxis, y: yAxis, points }: Kind<'tradeOff'>, width: number): Layout {
  const across = padded(points.flatMap(({ x, xci }) => [x, ...(xci ?? [])]));
  const up = padded(points.flatMap(({ y, yci }) => [y, ...(yci ?? [])]));
  const floor = 284;
  const x = scaled(...across, left + 16, width - 16);
  const y = scaled(...up, floor, 8);
  const best = frontier(points).map((point) => [x(point.x), y(point.y)] as const);
  const marks = points.flatMap(({ name, x: px, y: py, xci, yci }): Shape[] => [
    ...(xci ? [line(x(xci[0]), y(py), x(xci[1]), y(py), 'span')] : []),
    ...(yci ? [line(x(px), y(yci[0]), x(px), y(yci[1]), 'span')] : []),
    dot(x(px), y(py), 5),
    nameBeside(name, x(px), y(py) - 8, width),
  ]);
  const shapes: Shape[] = [
    line(left, floor, left + 16, floor, 'axis'),
    ...axisAcross(x, across, floor, xAxis),
    ...axisUp(y, up, left, yAxis),
    { is: 'path', points: best, ink: 'frontier' },
    ...marks,
  ];
  return { width, height: floor + axisHeight, shapes };
}

/** Places a name to the right of a point, or to the left if there is no room. */
function nameBeside(name: string, x: number, y: number, width: number): Shape {
  const text = shortened(name);
  const isLeft = x + 9 + textWidth(text) > width && x - 9 - textWidth(text) > 0;
  return words(isLeft ? x - 9 : x + 9, y, text, isLeft ? 'end' : 'start');
}

/** The points whose y is higher than that of all points with less x, by ascending x. */
export function frontier(points: readonly Point[]): Point[] {
  let best = -Infinity;
  return [...points]
    .sort((a, b) => a.x - b.x || b.y - a.y)
    .filter(({ y }) => {
      if (y <= best) return false;
      best = y;
      return true;
    });
}
