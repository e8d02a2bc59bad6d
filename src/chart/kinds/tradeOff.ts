import { axisAcross, axisHeight, axisUp, padded } from '../axes';
import type { BetterOnAxes, Kind, Point } from '../chart';
import { dot, line, scaled, type Shape, shortened, textWidth, words } from '../drawing';
import type { Layout } from '../layout';

const left = 64;

/** Points with intervals, and the line through those that no other point beats on both axes. */
export function tradeOff({ x: xAxis, y: yAxis, points, better }: Kind<'tradeOff'>, width: number): Layout {
  const across = padded(points.flatMap(({ x, xci }) => [x, ...(xci ?? [])]));
  const up = padded(points.flatMap(({ y, yci }) => [y, ...(yci ?? [])]));
  const floor = 284;
  const x = scaled(...across, left + 16, width - 16);
  const y = scaled(...up, floor, 8);
  const best = frontier(points, better).map((point) => [x(point.x), y(point.y)] as const);
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
    ...(best.length === 0 ? [] : [{ is: 'path', points: best, ink: 'frontier' } as const]),
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

/** The points that no other point beats on both axes, the best on the x axis first. */
export function frontier(
  points: readonly Point[],
  { x, y }: BetterOnAxes = { x: 'lower', y: 'higher' },
): Point[] {
  if (x === undefined || y === undefined) return [];
  const [along, up] = [x === 'lower' ? 1 : -1, y === 'higher' ? 1 : -1];
  let best = -Infinity;
  return [...points]
    .sort((a, b) => along * (a.x - b.x) || up * (b.y - a.y))
    .filter((point) => {
      if (up * point.y <= best) return false;
      best = up * point.y;
      return true;
    });
}
