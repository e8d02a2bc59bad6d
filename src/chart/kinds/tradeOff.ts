import { axisAcross, axisHeight, axisUp, padded } from '../axes';
import type { BetterOnAxes, Kind, Point } from '../chart';
import { dot, line, scaled, type Shape } from '../drawing';
import type { Layout } from '../layout';
import { listOf, namesOf } from './names';

const left = 64;

/** Points with intervals, and the frontier: the line through the Pareto-optimal points. */
export function tradeOff({ x: xAxis, y: yAxis, points, better }: Kind<'tradeOff'>, width: number): Layout {
  const across = padded(points.flatMap(({ x, xci }) => [x, ...(xci ?? [])]));
  const up = padded(points.flatMap(({ y, yci }) => [y, ...(yci ?? [])]));
  const floor = 284;
  const x = scaled(...across, left + 16, width - 16);
  const y = scaled(...up, floor, 8);
  const best = frontier(points, better).map((point) => [x(point.x), y(point.y)] as const);
  const places = points.map(({ name, x: px, y: py }) => ({ name, x: x(px), y: y(py) }));
  const spans = points.flatMap(({ xci, yci }, i) => {
    const { x: px, y: py } = places[i];
    return [
      ...(xci ? [[[x(xci[0]), py] as const, [x(xci[1]), py] as const] as const] : []),
      ...(yci ? [[[px, y(yci[0])] as const, [px, y(yci[1])] as const] as const] : []),
    ];
  });
  const joins = best.slice(1).map((place, i) => [best[i], place] as const);
  const inside = { left: left + 3, right: width, top: 0, bottom: floor - 2 };
  const names = namesOf(places, [...spans, ...joins], inside);
  const list = listOf(names.listed, floor + axisHeight + 14, width);
  const shapes: Shape[] = [
    line(left, floor, left + 16, floor, 'axis'),
    ...axisAcross(x, across, floor, xAxis),
    ...axisUp(y, up, left, yAxis),
    ...(best.length === 0 ? [] : [{ is: 'path', points: best, ink: 'frontier' } as const]),
    ...spans.map(([[x1, y1], [x2, y2]]) => line(x1, y1, x2, y2, 'span')),
    ...places.map((place) => dot(place.x, place.y, 5)),
    ...names.shapes,
    ...list.shapes,
  ];
  const below = names.listed.length === 0 ? 0 : list.height + 6;
  return { width, height: floor + axisHeight + below, shapes };
}

/** The Pareto-optimal points, sorted from the best x to the worst. Of equal points, only one is returned. */
export function frontier(
  points: readonly Point[],
  { x, y }: BetterOnAxes = { x: 'lower', y: 'higher' },
): Point[] {
  if (x === undefined || y === undefined) return [];
  const [along, up] = [x === 'lower' ? 1 : -1, y === 'higher' ? 1 : -1];
  let best = -Infinity;
  return points
    .filter(({ groundless }) => groundless !== true)
    .sort((a, b) => along * (a.x - b.x) || up * (b.y - a.y))
    .filter((point) => {
      if (up * point.y <= best) return false;
      best = up * point.y;
      return true;
    });
}
