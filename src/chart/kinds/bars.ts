import { largest, smallest } from '../../base/extent';
import { axisAcross, axisHeight, padded, textBelow } from '../axes';
import type { Bar, Kind } from '../chart';
import { box, dot, figure, line, scaled, type Shape, shortened, widthOfNames, words } from '../drawing';
import type { Layout } from '../layout';

const rowHeight = 24;

/** Bars from zero, one below another, with intervals, values and counts. */
export function bars({ bars: items, reference, axis = '' }: Kind<'bars'>, width: number): Layout {
  const ends = endsOf(items);
  const low = Math.min(0, smallest(ends));
  const high = Math.max(low + 1e-12, reference ?? 0, largest(ends));
  const left = widthOfNames(items.map(({ name }) => name));
  const right = width - 100;
  const x = scaled(low, high, left, right);
  const floor = items.length * rowHeight + 8;
  const shapes = items.flatMap(({ name, value, ci, n }, i): Shape[] => {
    const y = i * rowHeight + rowHeight / 2 + 4;
    const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
    return [
      words(left - 8, y + 4, shortened(name), 'end'),
      box(from, y - 7, [Math.max(1, to - from), 14], 'mark', 0.45),
      ...(ci ? [line(x(ci[0]), y, x(ci[1]), y, 'span')] : []),
      words(right + 8, y + 4, `${figure(value, ci)} · ${n}`),
    ];
  });
  if (reference !== undefined) shapes.push(line(x(reference), 0, x(reference), floor, 'reference'));
  return {
    width,
    height: floor + (axis === '' ? axisHeight - 18 : axisHeight),
    shapes: [...shapes, ...axisAcross(x, [low, high], floor, axis)],
  };
}

/** A dot per value, with the value's interval as a line, on one axis. */
export function forest({ bars: items, axis, reference }: Kind<'forest'>, width: number): Layout {
  const ends = endsOf(items);
  const range = padded(reference === undefined ? ends : [...ends, reference]);
  const left = widthOfNames(items.map(({ name }) => name));
  const x = scaled(...range, left, width - 20);
  const floor = items.length * rowHeight + 4;
  const counts = items.map(({ n }) => n);
  const [least, most] = [smallest(counts), largest(counts)].map((n) => n.toLocaleString('en'));
  const note = [
    `n = ${least === most ? least : `${least} to ${most}`}`,
    ...(items.some(({ ci }) => ci) ? ['lines: 95 % intervals'] : []),
    ...(reference === undefined ? [] : ['dashed line: chance level']),
  ].join('; ');
  const below = textBelow(x, range, floor, [axis, note], width);
  const shapes = [...axisAcross(x, range, floor, ''), ...below.shapes];
  if (reference !== undefined) shapes.push(line(x(reference), 0, x(reference), floor, 'reference'));
  for (const [i, { name, value, ci }] of items.entries()) {
    const y = i * rowHeight + rowHeight / 2 + 4;
    shapes.push(words(left - 8, y + 4, shortened(name), 'end'));
    if (ci) shapes.push(line(x(ci[0]), y, x(ci[1]), y, 'span'));
    shapes.push(dot(x(value), y, 4));
  }
  return { width, height: floor + below.height, shapes };
}

function endsOf(items: readonly Bar[]): number[] {
  return items.flatMap(({ value, ci }) => [value, ...(ci ?? [])]);
}

/** Each evaluator's rank with its interval, and the probability that the evaluator is the best. */
export function ranks({ ranks: items, axis, n }: Kind<'ranks'>, width: number): Layout {
  const left = widthOfNames(items.map(({ name }) => name));
  const most = items.length;
  const range = [0.75, most + 0.25] as const;
  const x = scaled(...range, left, width - 70);
  const top = 18;
  const floor = top + items.length * rowHeight + 4;
  const step = Math.ceil(most / 10);
  const values = Array.from({ length: most }, (_, i) => i + 1).filter((rank) => (rank - 1) % step === 0);
  const note = `rank and its 95 % interval; n = ${n.toLocaleString('en')}`;
  const below = textBelow(x, range, floor, [axis, note], width);
  const shapes = [
    words(width - 6, 12, 'P(best)', 'end'),
    ...axisAcross(x, range, floor, '', { values, text: String }),
    ...below.shapes,
  ];
  for (const [i, { name, rank, low, high, best }] of items.entries()) {
    const y = top + i * rowHeight + rowHeight / 2 + 4;
    shapes.push(
      words(left - 8, y + 4, shortened(name), 'end'),
      line(x(low), y, x(high), y, 'span'),
      dot(x(rank), y, 4),
      words(width - 6, y + 4, best.toFixed(2), 'end'),
    );
  }
  return { width, height: floor + below.height, shapes };
}
