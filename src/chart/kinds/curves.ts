import { largest, smallest } from '../../base/extent';
import { axisAcross, axisHeight, axisUp } from '../axes';
import type { Curve, Kind } from '../chart';
import { dot, line, type Scale, scaled, type Shape, shortened, textWidth, words } from '../drawing';
import type { Layout } from '../layout';
import { ticksOf } from '../ticks';

/** Dash patterns that distinguish the lines, which all have the same colour. */
const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 5]];
const left = 64;
/** The least space between two names of ticks. */
const leastGap = 5;

/** A line chart with intervals, and each line's name at its end. */
export function curves({ axes, curves: all }: Kind<'curves'>, width: number): Layout {
  const points = all.flatMap((curve) => curve.points);
  const [xLow, xHigh] = ends(points.map(({ x }) => x));
  const [yLow, yHigh] = ends(points.flatMap(({ y, ci }) => [y, ...(ci ?? [])]));
  const [top, floor] = [12, 216];
  const named = all.filter(({ name }) => name !== '');
  const right = width - 12 - largest([0, ...named.map(({ name }) => textWidth(shortened(name)) + 9)]);
  const x = scaled(xLow, xHigh, left + 12, right - 4);
  const y = scaled(yLow, yHigh, floor - 8, top + 8);
  const drawn = all.flatMap((curve, i): Shape[] => {
    const dash = dashes[i % dashes.length];
    return [
      ...unbroken(curve.points).map((part): Shape => ({
        is: 'path',
        points: part.map((point) => [x(point.x), y(point.y)] as const),
        ink: 'curve',
        ...(dash.length === 0 ? {} : { dash }),
      })),
      ...curve.points.flatMap(({ x: px, ci }) =>
        ci === undefined ? [] : [line(x(px), y(ci[0]), x(px), y(ci[1]), 'span')],
      ),
      ...curve.points.map((point) => dot(x(point.x), y(point.y), 3.5)),
    ];
  });
  const names = apart(
    named.flatMap(({ name, points: own }) => {
      const last = own.at(-1);
      return last === undefined ? [] : [{ name, y: y(last.y), x: x(last.x) }];
    }),
  ).map((label) => words(label.x + 9, label.y + 4, shortened(label.name)));
  const { ticks, mark } = axes;
  const readable = new Map(readableOf(ticks ?? [], x).map((tick) => [tick.x, tick.name]));
  const across = ticks && {
    values: ticks.map((tick) => tick.x),
    text: (value: number) => readable.get(value) ?? '',
  };
  const marked =
    mark === undefined
      ? []
      : [line(x(mark.x), top, x(mark.x), floor, 'reference'), words(x(mark.x) + 4, top + 8, mark.name)];
  const shapes = [
    line(left, floor, x(xLow), floor, 'axis'),
    ...axisAcross(x, [xLow, xHigh], floor, axes.x, across),
    line(left, floor, left, y(yLow), 'axis'),
    ...axisUp(y, [yLow, yHigh], left, axes.y, ticksOf(yLow, yHigh)),
    ...[...marked, ...drawn, ...names],
  ];
  return { width, height: floor + axisHeight, shapes };
}

/** The ticks whose names do not touch, among them the last one. */
function readableOf<T extends { x: number; name: string }>(ticks: readonly T[], x: Scale): T[] {
  let edge = Infinity;
  return ticks.toReversed().filter((tick) => {
    const [at, half] = [x(tick.x), textWidth(tick.name) / 2];
    if (at + half + leastGap > edge) return false;
    edge = at - half;
    return true;
  });
}

function unbroken(points: Curve['points']): Curve['points'][] {
  const starts = points.flatMap(({ afterGap }, i) => (i === 0 || afterGap === true ? [i] : []));
  return starts.map((from, i) => points.slice(from, starts[i + 1]));
}

function ends(values: readonly number[]): [number, number] {
  const [low, high] = [smallest(values), largest(values)];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Moves labels down until none overlap. */
function apart<T extends { y: number }>(labels: readonly T[]): T[] {
  let lowest = -Infinity;
  return [...labels]
    .sort((a, b) => a.y - b.y)
    .map((label) => {
      lowest = Math.max(label.y, lowest + 14);
      return { ...label, y: lowest };
    });
}
