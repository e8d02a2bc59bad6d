import { largest, smallest } from '../../../src/base/extent';
import { english } from '../../../src/base/say';
import type { Chart, ChartOf } from '../../../src/protocol/rows';
import { escapeXml } from '../../../src/base/xml';
import { onAxis, percent, shortened, whole } from '../../base/format';

/*
 * Charts for a paper: in English, as vectors, dark on white, one column wide. One unit is one point. Patterns
 * and shapes repeat the meaning of colours.
 */

const paper = {
  text: '#222',
  none: '#c8c8c8',
  right: '#2a6fb0',
  wrong: '#d9803f',
  font: 'Helvetica, Arial, sans-serif',
} as const;

type Scale = (value: number) => number;

/** The column width of most journals, 84 mm. */
export const paperWidth = 238;
const plotHeight = 120;
const size = 7;
const margin = { top: 20, right: 12, bottom: 28, left: 38 };
const rowHeight = 13;

export function paperSvg(chart: Chart): string {
  switch (chart.type) {
    case 'histogram':
      return histogram(chart);
    case 'shares':
      return shares(chart);
    case 'points':
      return points(chart);
  }
}

function histogram(chart: ChartOf<'histogram'>): string {
  const totals = chart.edges
    .slice(1)
    .map((_, i) => chart.series.reduce((sum, { counts }) => sum + counts[i], 0));
  const most = ticks(0, Math.max(1, largest(totals))).at(-1)!;
  const floor = margin.top + plotHeight;
  const x = scale(chart.edges[0], chart.edges.at(-1)!, margin.left, paperWidth - margin.right);
  const y = scale(0, most, floor, margin.top);
  const bars = chart.edges.slice(1).map((edge, i) => {
    let base = 0;
    return chart.series
      .map(({ verdict, counts }) => {
        const [from, to] = [y(base), y((base += counts[i]))];
        return box(x(chart.edges[i]), to, x(edge) - x(chart.edges[i]), from - to, fills[verdict]);
      })
      .join('');
  });
  const zero = chart.edges[0] < 0 && chart.edges.at(-1)! > 0 ? dashed(x(0), margin.top, x(0), floor) : '';
  const names = chart.series.filter(({ verdict }) => verdict !== 'none' || chart.series.length > 1);
  const content = [
    ...bars,
    zero,
    xAxis(x, ticks(chart.edges[0], chart.edges.at(-1)!, true), floor, english(chart.x.title)),
    yAxis(y, ticks(0, most), whole, 'number'),
    legend(
      names.map(({ verdict }) => [
        verdict === 'none' ? 'no verdict' : verdict,
        box(0, 0, 6, 6, fills[verdict]),
      ]),
    ),
  ];
  return wrapped(english(chart.title), floor + margin.bottom, content);
}

function shares(chart: ChartOf<'shares'>): string {
  const left = 96;
  const floor = margin.top + chart.values.length * rowHeight;
  const x = scale(0, 1, left, paperWidth - margin.right);
  const rows = chart.values.map(({ value, share, interval, n }, i) => {
    const y = margin.top + (i + 0.5) * rowHeight;
    return [
      words(left - 4, y + 2.5, `${shortened(value)} (${whole(n)})`, 'end'),
      box(x(0), y - 4, x(share) - x(0), 8, paper.right),
      ...(interval === undefined
        ? []
        : [
            line(x(interval[0]), y, x(interval[1]), y, 0.8),
            ...interval.map((end) => line(x(end), y - 2, x(end), y + 2, 0.8)),
          ]),
    ].join('');
  });
  const chance =
    chart.chance === undefined ? '' : dashed(x(chart.chance), margin.top, x(chart.chance), floor);
  const axisTitle = chart.values.some(({ interval }) => interval !== undefined)
    ? 'share right, with its 95 % interval'
    : 'share right';
  const axis = xAxis(x, [0, 0.25, 0.5, 0.75, 1], floor, axisTitle, percent, left);
  return wrapped(english(chart.title), floor + margin.bottom, [...rows, chance, axis]);
}

function points(chart: ChartOf<'points'>): string {
  const height = 190;
  const floor = margin.top + height;
  const reach = (values: readonly number[]): [number, number] => {
    const all = ticks(smallest(values), largest(values));
    return [all[0], all.at(-1)!];
  };
  const [left, right] = reach(chart.points.map((point) => point.x));
  const [low, high] = reach([
    ...chart.points.map((point) => point.y),
    ...(chart.border === 'zero' ? [0] : []),
  ]);
  const x = scale(left, right, margin.left, paperWidth - margin.right);
  const y = scale(low, high, floor, margin.top);
  const marks = chart.points.map((point) =>
    point.right ? dot(x(point.x), y(point.y)) : triangle(x(point.x), y(point.y)),
  );
  const [from, to] = [Math.max(left, low), Math.min(right, high)];
  const border =
    chart.border === 'zero'
      ? dashed(x(left), y(0), x(right), y(0))
      : from < to
        ? dashed(x(from), y(from), x(to), y(to))
        : '';
  const content = [
    ...marks,
    border,
    xAxis(x, ticks(left, right), floor, english(chart.x.title)),
    yAxis(y, ticks(low, high), onAxis(ticks(low, high)), english(chart.y.title)),
    legend([
      ['right', dot(3, 3)],
      ['wrong', triangle(3, 3)],
    ]),
  ];
  const of = chart.of > chart.points.length ? ` (${whole(chart.points.length)} of ${whole(chart.of)})` : '';
  return wrapped(chart.title + of, floor + margin.bottom, content);
}

const fills = { right: paper.right, wrong: 'url(#wrong)', none: paper.none } as const;

/** Stripes distinguish wrong from right in prints without colours. */
const stripes =
  `<defs><pattern id="wrong" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<rect width="3" height="3" fill="${paper.wrong}"/><rect width="1" height="3" fill="#fff"/></pattern></defs>`;

function wrapped(title: string, height: number, content: readonly string[]): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${paperWidth}pt" height="${at(height)}pt" viewBox="0 0 ${paperWidth} ${at(height)}" ` +
    `font-family="${escapeXml(paper.font)}" font-size="${size}" fill="${paper.text}">` +
    `<title>${escapeXml(title)}</title>${stripes}<rect width="${paperWidth}" height="${at(height)}" fill="#fff"/>${content.join('')}</svg>`
  );
}

function xAxis(
  x: Scale,
  marks: readonly number[],
  floor: number,
  title: string,
  format: (value: number) => string = onAxis(marks),
  begin = margin.left,
): string {
  const [from, to] = [x(marks[0]), x(marks.at(-1)!)];
  return [
    line(Math.min(from, begin), floor, Math.max(to, paperWidth - margin.right), floor, 0.5),
    ...marks.map((mark) => line(x(mark), floor, x(mark), floor + 2.5, 0.5)),
    ...marks.map((mark) => words(x(mark), floor + 10, format(mark), 'middle')),
    words((from + to) / 2, floor + 21, title, 'middle'),
  ].join('');
}

function yAxis(y: Scale, marks: readonly number[], format: (value: number) => string, title: string): string {
  const [from, to] = [y(marks[0]), y(marks.at(-1)!)];
  return [
    line(margin.left, from, margin.left, to, 0.5),
    ...marks.map((mark) => line(margin.left - 2.5, y(mark), margin.left, y(mark), 0.5)),
    ...marks.map((mark) => words(margin.left - 4.5, y(mark) + 2.5, format(mark), 'end')),
    `<text transform="translate(8 ${at((from + to) / 2)}) rotate(-90)" text-anchor="middle">${escapeXml(title)}</text>`,
  ].join('');
}

function legend(entries: readonly (readonly [name: string, sign: string])[]): string {
  return entries
    .map(
      ([name, sign], i) =>
        `<g transform="translate(${margin.left + 4 + i * 46} 6)">${sign}${words(9, 5.5, name, 'start')}</g>`,
    )
    .join('');
}

/** Round values for ticks, just outside low and high; with `inside`, between them. */
export function ticks(low: number, high: number, inside = false): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = power * [1, 2, 2.5, 5, 10].find((candidate) => candidate * power * 5 >= span)!;
  const from = inside ? Math.ceil(low / step - 1e-9) : Math.floor(low / step + 1e-9);
  const to = inside ? Math.floor(high / step + 1e-9) : Math.max(from + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
}

function scale(low: number, high: number, from: number, to: number): Scale {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

function line(x1: number, y1: number, x2: number, y2: number, thick: number, dashes = ''): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${paper.text}" stroke-width="${thick}"${dashes}/>`;
}

function dashed(x1: number, y1: number, x2: number, y2: number): string {
  return line(x1, y1, x2, y2, 0.6, ' stroke-dasharray="3 2"');
}

function box(x: number, y: number, wide: number, high: number, fill: string): string {
  return high <= 0 || wide <= 0
    ? ''
    : `<rect x="${at(x)}" y="${at(y)}" width="${at(wide)}" height="${at(high)}" fill="${fill}"/>`;
}

function dot(x: number, y: number): string {
  return `<circle cx="${at(x)}" cy="${at(y)}" r="1.6" fill="${paper.right}"/>`;
}

function triangle(x: number, y: number): string {
  return `<path d="M${at(x)} ${at(y - 2.2)}l2.2 3.8h-4.4z" fill="${paper.wrong}"/>`;
}

function words(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

function at(value: number): string {
  return String(Number(value.toFixed(2)));
}
