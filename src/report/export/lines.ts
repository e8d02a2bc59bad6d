import { largest, smallest } from '../../base/extent';
import { at, figure, shortened, wrapped } from './chart';
import { escapeXml as e } from '../../base/xml';
import type { Axes, Curve } from '../../probe/chart';

const [width, height] = [560, 260];
const margin = { left: 56, right: 130, top: 12, bottom: 44 };
/** Lines differ in dashes as well as colours, and each has its name at its end. */
const dashes = ['', '6 3', '2 3', '8 3 2 3', '1 5'];

/** A line chart with intervals, and each line's name at its end. */
export function curves(
  title: string,
  { x: xAxis, y: yAxis, ticks, mark }: Axes,
  all: readonly Curve[],
): string {
  const points = all.flatMap((curve) => curve.points);
  if (points.length === 0) return '';
  const [xLow, xHigh] = ends(points.map(({ x }) => x));
  const [yLow, yHigh] = ends(points.flatMap(({ y, ci }) => [y, ...(ci ?? [])]));
  const floor = height - margin.bottom;
  const x = (value: number) =>
    margin.left + 12 + ((value - xLow) / (xHigh - xLow)) * (width - margin.left - margin.right - 24);
  const y = (value: number) => floor - 8 - ((value - yLow) / (yHigh - yLow)) * (floor - margin.top - 16);
  const drawn = all.map((curve, i) => {
    const path = (part: Curve['points']): string =>
      part.map((point) => `${at(x(point.x))},${at(y(point.y))}`).join(' ');
    const spans = curve.points.map(({ x: px, ci }) =>
      ci === undefined
        ? ''
        : `<line class="span" x1="${at(x(px))}" x2="${at(x(px))}" y1="${at(y(ci[0]))}" y2="${at(y(ci[1]))}"/>`,
    );
    const dots = curve.points.map(
      (point) => `<circle class="mark" cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3.5"/>`,
    );
    const dash = dashes[i % dashes.length];
    const lines = unbroken(curve.points).map(
      (part) =>
        `<polyline class="curve" points="${path(part)}"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/>`,
    );
    return `${lines.join('')}${spans.join('')}${dots.join('')}`;
  });
  const names = apart(
    all.flatMap((curve) => {
      const last = curve.points.at(-1);
      return last === undefined || curve.name === ''
        ? []
        : [{ name: curve.name, y: y(last.y), x: x(last.x) }];
    }),
  ).map((label) => `<text x="${at(label.x + 9)}" y="${at(label.y + 4)}">${e(shortened(label.name))}</text>`);
  const places = ticks ?? [
    { x: xLow, name: figure(xLow) },
    { x: xHigh, name: figure(xHigh) },
  ];
  const axes =
    `<line class="axis" x1="${margin.left}" x2="${width - margin.right}" y1="${floor}" y2="${floor}"/><line class="axis" x1="${margin.left}" x2="${margin.left}" y1="${margin.top}" y2="${floor}"/>` +
    places
      .map(
        (place) =>
          `<text x="${at(x(place.x))}" y="${floor + 16}" text-anchor="middle">${e(place.name)}</text>`,
      )
      .join('') +
    `<text x="${(width - margin.right + margin.left) / 2}" y="${height - 6}" text-anchor="middle">${e(xAxis)}</text>` +
    [yLow, yHigh]
      .map(
        (value) =>
          `<text x="${margin.left - 6}" y="${at(y(value) + 4)}" text-anchor="end">${figure(value)}</text>`,
      )
      .join('') +
    `<text transform="translate(12 ${floor / 2}) rotate(-90)" text-anchor="middle">${e(yAxis)}</text>`;
  const marked =
    mark === undefined
      ? ''
      : `<line class="reference" x1="${at(x(mark.x))}" x2="${at(x(mark.x))}" y1="${margin.top}" y2="${floor}"/><text x="${at(x(mark.x) + 4)}" y="${margin.top + 8}">${e(mark.name)}</text>`;
  return wrapped(title, width, height, axes + marked + drawn.join('') + names.join(''));
}

function unbroken(points: Curve['points']): Curve['points'][] {
  const starts = points.flatMap(({ afterGap }, i) => (i === 0 || afterGap === true ? [i] : []));
  return starts.map((from, i) => points.slice(from, starts[i + 1]));
}

function ends(values: readonly number[]): [number, number] {
  const [low, high] = [smallest(values), largest(values)];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Moves labels down so that they do not overlap. */
function apart<T extends { y: number }>(labels: readonly T[]): T[] {
  let lowest = -Infinity;
  return [...labels]
    .sort((a, b) => a.y - b.y)
    .map((label) => {
      lowest = Math.max(label.y, lowest + 14);
      return { ...label, y: lowest };
    });
}
