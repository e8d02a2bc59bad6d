/* Draws the charts of the results panel, with English labels. */
import { append } from '../../base/lists';
import { largest, smallest } from '../../base/extent';
import { english } from '../../base/english';
import type { ChartOf, Side } from '../../protocol/parts/chart';
import { axisAcross, axisHeight, axisUp, textBelow, wholeTicks } from '../axes';
import type { Kind } from '../chart';
import {
  box,
  dot,
  type Ink,
  line,
  scaled,
  type Shape,
  shortened,
  textWidth,
  triangle,
  widthOfNames,
  words,
} from '../drawing';
import type { Layout } from '../layout';
import { roundedOut, ticksOf } from '../ticks';

const [left, top] = [64, 26];

export function panelChart({ chart }: Kind<'panel'>, width: number): Layout {
  switch (chart.type) {
    case 'histogram':
      return histogram(chart, width);
    case 'shares':
      return shares(chart, width);
    case 'points':
      return points(chart, width);
    case 'versus':
      return versus(chart, width);
  }
}

const inks = { right: 'mark', wrong: 'wrong', none: 'none' } as const satisfies Record<string, Ink>;

function histogram(chart: ChartOf<'histogram'>, width: number): Layout {
  const {
    edges,
    series,
    behind,
    x: { title },
  } = chart;
  const totals = edges.slice(1).map((_, i) => series.reduce((sum, { counts }) => sum + counts[i], 0));
  const most = Math.max(1, largest(totals));
  const floor = top + 190;
  const ends = [edges[0], edges.at(-1)!] as const;
  const x = scaled(...ends, left, width - 20);
  const y = scaled(0, most, floor, top);
  const yBehind = scaled(0, Math.max(1, largest(behind ?? [])), floor, top);
  const shapes = edges.slice(1).flatMap((edge, i) => {
    const [wide, all] = [x(edge) - x(edges[i]), behind?.[i] ?? 0];
    let base = 0;
    const back = all === 0 ? [] : [box(x(edges[i]), yBehind(all), [wide, floor - yBehind(all)], 'none', 0.2)];
    const front = series.flatMap(({ verdict, counts }): Shape[] => {
      const [from, to] = [y(base), y((base += counts[i]))];
      return counts[i] === 0 ? [] : [box(x(edges[i]), to, [wide, from - to], inks[verdict])];
    });
    return [...back, ...front];
  });
  if (ends[0] < 0 && ends[1] > 0) shapes.push(line(x(0), top, x(0), floor, 'reference'));
  const named = series.filter(({ verdict }) => verdict !== 'none' || series.length > 1);
  append(shapes, [
    ...axisAcross(x, ends, floor, english(title)),
    ...axisUp(y, [0, most], left, 'number', wholeTicks(most)),
    ...legend(
      named
        .map(({ verdict }) => ({
          name: verdict === 'none' ? 'no verdict' : verdict,
          sign: (at: number) => box(at, 4, [10, 10], inks[verdict]),
        }))
        .concat(
          behind === undefined
            ? []
            : [
                {
                  name: 'all, without filter, to another scale',
                  sign: (at: number) => box(at, 4, [10, 10], 'none', 0.2),
                },
              ],
        ),
    ),
  ]);
  return { width, height: floor + axisHeight, shapes };
}

const rowHeight = 22;

function shares({ values, chance }: ChartOf<'shares'>, width: number): Layout {
  // Bars with names are metrics, which may be of the same rows.
  const names = values.map(({ value, name, n }) =>
    name === undefined ? `${shortened(value, 20)} (${n.toLocaleString('en')})` : shortened(english(name)),
  );
  const edge = widthOfNames(names);
  const floor = 4 + values.length * rowHeight;
  const x = scaled(0, 1, edge, width - 24);
  const shapes = values.flatMap(({ share, interval, pale }, i): Shape[] => {
    const y = 4 + (i + 0.5) * rowHeight;
    return [
      words(edge - 8, y + 4, names[i], 'end'),
      ...(share > 0 ? [box(x(0), y - 7, [x(share) - x(0), 14], 'mark', pale ? 0.2 : 0.6)] : []),
      ...(interval === undefined
        ? []
        : [
            line(x(interval[0]), y, x(interval[1]), y, 'text'),
            ...interval.map((end) => line(x(end), y - 4, x(end), y + 4, 'text')),
          ]),
    ];
  });
  if (chance !== undefined) shapes.push(line(x(chance), 4, x(chance), floor, 'reference'));
  const hasIntervals = values.some(({ interval }) => interval !== undefined);
  const title = hasIntervals ? 'share right, with its 95 % interval' : 'share right';
  const note = values.some(({ pale }) => pale) ? ['pale: not above chance'] : [];
  if (chance !== undefined) note.push(`dashed: chance level, ${Math.round(100 * chance)} %`);
  const below = textBelow(x, [0, 1], floor, [title, ...note], width);
  const ticks = { values: [0, 0.25, 0.5, 0.75, 1], text: (value: number) => `${100 * value} %` };
  append(shapes, [...axisAcross(x, [0, 1], floor, '', ticks), ...below.shapes]);
  return { width, height: floor + below.height, shapes };
}

function points(chart: ChartOf<'points'>, width: number): Layout {
  const floor = top + 300;
  const values = chart.points.map((point) => point.x);
  const across = roundedOut(reach(chart.border === 'zero' ? [...values, 0] : values));
  const up = roundedOut(reach(chart.points.map((point) => point.y)));
  const x = scaled(...across, left, width - 20);
  const y = scaled(...up, floor, top);
  const shapes = chart.points.map((point) =>
    point.right || !chart.isJudged ? dot(x(point.x), y(point.y), 2.8) : triangle(x(point.x), y(point.y), 3),
  );
  const [from, to] = [Math.max(across[0], up[0]), Math.min(across[1], up[1])];
  if (chart.border === 'zero') shapes.push(line(x(0), top, x(0), floor, 'reference'));
  else if (from < to) shapes.push(line(x(from), y(from), x(to), y(to), 'reference'));
  append(shapes, [
    ...axisAcross(x, across, floor, english(chart.x.title)),
    ...axisUp(y, up, left, english(chart.y.title), ticksOf(...up)),
    ...(chart.isJudged
      ? legend([
          { name: 'right', sign: (at) => dot(at + 5, 9, 2.8) },
          { name: 'wrong', sign: (at) => triangle(at + 5, 9, 3) },
        ])
      : []),
  ]);
  return { width, height: floor + axisHeight, shapes };
}

const sideMarks: Record<Side | 'none', { name: string; sign: (x: number, y: number) => Shape }> = {
  both: { name: 'both right', sign: (x, y) => dot(x, y, 2.8) },
  onlyFirst: { name: 'only x right', sign: (x, y) => box(x - 2.5, y - 2.5, [5, 5], 'mark') },
  onlySecond: { name: 'only y right', sign: (x, y) => triangle(x, y, 3) },
  neither: { name: 'neither', sign: (x, y) => box(x - 2.5, y - 2.5, [5, 5], 'wrong') },
  none: { name: 'no verdict', sign: (x, y) => box(x - 2, y - 2, [4, 4], 'none') },
};

function versus(chart: ChartOf<'versus'>, width: number): Layout {
  const floor = top + 300;
  const [across, up] = [chart.points.map((point) => point.x), chart.points.map((point) => point.y)].map(
    (values) => roundedOut(reach([...values, 0])),
  );
  const x = scaled(...across, left, width - 20);
  const y = scaled(...up, floor, top);
  const shapes = chart.points.map((point) => sideMarks[point.side ?? 'none'].sign(x(point.x), y(point.y)));
  const used = new Set(chart.points.map(({ side }) => side ?? 'none'));
  append(shapes, [
    line(x(0), top, x(0), floor, 'reference'),
    line(x(across[0]), y(0), x(across[1]), y(0), 'reference'),
    ...axisAcross(x, across, floor, english(chart.x.title)),
    ...axisUp(y, up, left, english(chart.y.title), ticksOf(...up)),
    ...legend(
      [...used].map((side) => ({
        name: sideMarks[side].name,
        sign: (at) => sideMarks[side].sign(at + 5, 9),
      })),
    ),
  ]);
  return { width, height: floor + axisHeight, shapes };
}

function reach(values: readonly number[]): [number, number] {
  return [smallest(values), largest(values)];
}

function legend(entries: readonly { name: string; sign: (at: number) => Shape }[]): Shape[] {
  let at = left + 4;
  return entries.flatMap(({ name, sign }) => {
    const shapes = [sign(at), words(at + 15, 13, name)];
    at += 15 + textWidth(name) + 18;
    return shapes;
  });
}
