import { append } from '../../base/lists';
import { largest, smallest } from '../../base/extent';
import { axisAcross, axisHeight, axisUp, padded, wholeTicks } from '../axes';
import type { Kind, Ridge } from '../chart';
import {
  box,
  dot,
  line,
  type Scale,
  scaled,
  type Shape,
  shortened,
  textWidth,
  widthOfNames,
  words,
} from '../drawing';
import type { Layout } from '../layout';

const left = 64;
const bins = 30;

/** A histogram, with a line at zero if zero is in range. Whole numbers in a small range have one column each. */
export function histogram({ axis, values }: Kind<'histogram'>, width: number): Layout {
  let [low, high] = [smallest(values), largest(values)];
  const isWhole = high - low < bins && values.every(Number.isInteger);
  const columns = isWhole ? high - low + 1 : bins;
  if (isWhole || low === high) [low, high] = [low - 0.5, high + 0.5];
  const counts = new Array<number>(columns).fill(0);
  for (const value of values)
    counts[Math.min(columns - 1, Math.floor(((value - low) / (high - low)) * columns))]++;
  const most = largest(counts);
  const floor = 144;
  const x = scaled(low, high, left, width - 16);
  const y = scaled(0, most, floor, 8);
  const step = (high - low) / columns;
  const shapes = counts.map((count, i): Shape => {
    const [from, to] = [x(low + i * step), x(low + (i + 1) * step)];
    const isAbove = low + (i + 0.5) * step > 0;
    return box(from, y(count), [Math.max(0.5, to - from - 1), floor - y(count)], isAbove ? 'mark' : 'other');
  });
  if (low < 0 && high > 0) shapes.push(line(x(0), 8, x(0), floor, 'reference'));
  append(shapes, [
    ...axisAcross(x, [low, high], floor, axis),
    ...axisUp(y, [0, most], left, 'count', wholeTicks(most)),
  ]);
  return { width, height: floor + axisHeight, shapes };
}

const dashes = [undefined, [6, 3], [2, 3], [8, 3, 2, 3]] as const;

/** Distributions over the same bins, as stepped outlines. Dashes and a legend distinguish them. */
export function outlines({ axis, edges, outlines: all }: Kind<'outlines'>, width: number): Layout {
  const [low, high] = [edges[0], edges.at(-1)!];
  const most = largest(all.flatMap(({ shares }) => [...shares]));
  const [top, floor] = [24, 180];
  const x = scaled(low, high, left, width - 16);
  const y = scaled(0, most, floor, top);
  const shapes: Shape[] = [];
  let at = left;
  for (const [i, { name, shares }] of all.entries()) {
    const steps = shares.flatMap((share, bin): [number, number][] => [
      [x(edges[bin]), y(share)],
      [x(edges[bin + 1]), y(share)],
    ]);
    const points = [[x(low), floor] as const, ...steps, [x(high), floor] as const];
    const dash = dashes[i % dashes.length];
    if (i === 0) shapes.push({ is: 'path', points, ink: 'mark', closed: true, opacity: 0.25 });
    const ink = i === 0 ? 'curve' : 'frontier';
    shapes.push(
      { is: 'path', points, ink, ...(dash ? { dash } : {}) },
      {
        is: 'path',
        points: [
          [at, 8],
          [at + 26, 8],
        ],
        ink,
        ...(dash ? { dash } : {}),
      },
      words(at + 31, 12, name),
    );
    at += 31 + textWidth(name) + 16;
  }
  append(shapes, [...axisAcross(x, [low, high], floor, axis), ...axisUp(y, [0, most], left, 'share')]);
  return { width, height: floor + axisHeight, shapes };
}

/** The distance between the base lines of neighbouring ridges, and the height of a ridge. Ridges may overlap. */
const [pitch, rise] = [30, 38];

/** The largest distance between stacked dots. */
const stack = 5;

/** Distributions one below another, with medians. All densities are scaled to the same height. */
export function ridges({ ridges: all, axis, reference }: Kind<'ridges'>, width: number): Layout {
  const ends = all.flatMap((ridge) =>
    'values' in ridge ? ridge.values : [ridge.low, ridge.low + ridge.step * (ridge.density.length - 1)],
  );
  const [low, high] = padded(reference === undefined ? ends : [...ends, reference], 0.02);
  const names = widthOfNames(all.map(({ name }) => name));
  const x = scaled(low, high, names, width - 54);
  const top = rise - pitch + 12;
  const floor = top + all.length * pitch + 4;
  const shapes: Shape[] = [words(width - 6, 11, 'n', 'end')];
  if (reference !== undefined) shapes.push(line(x(reference), 4, x(reference), floor, 'reference'));
  for (const [i, ridge] of all.entries()) {
    const { name, median, n } = ridge;
    const base = top + (i + 1) * pitch;
    append(shapes, 'values' in ridge ? stackedDots(ridge.values, x, base) : outlineOf(ridge, x, base));
    shapes.push(
      line(x(median), base - 10, x(median), base, 'text'),
      words(names - 8, base - 2, shortened(name), 'end'),
      words(width - 6, base - 2, String(n), 'end'),
    );
  }
  append(shapes, axisAcross(x, [low, high], floor, axis));
  return { width, height: floor + axisHeight, shapes };
}

function outlineOf(
  { low, step, density }: Extract<Ridge, { density: readonly number[] }>,
  x: Scale,
  base: number,
): Shape[] {
  const most = largest(density);
  const ridge = density.map((value, at): [number, number] => [
    x(low + at * step),
    base - (value / most) * rise,
  ]);
  const points = [[x(low), base] as const, ...ridge, [x(low + step * (density.length - 1)), base] as const];
  return [
    { is: 'path', points, ink: 'mark', closed: true, opacity: 0.35 },
    { is: 'path', points, ink: 'curve' },
  ];
}

/** A dot per value. Dots at the same place are stacked, at most as high as a ridge. */
function stackedDots(values: readonly number[], x: Scale, base: number): Shape[] {
  const place = (value: number) => Math.round(x(value) / stack);
  const heights = new Map<number, number>();
  for (const value of values) heights.set(place(value), (heights.get(place(value)) ?? 0) + 1);
  const below = new Map<number, number>();
  return values.map((value) => {
    const at = place(value);
    const i = below.get(at) ?? 0;
    below.set(at, i + 1);
    return dot(x(value), base - 3 - i * Math.min(stack, (rise - stack) / heights.get(at)!), 2);
  });
}
