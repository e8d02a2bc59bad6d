/* Charts as SVG text in the page's colours. Labels repeat the information in colours. */
import { largest, smallest } from '../../base/extent';
import { escapeXml as e } from '../../base/xml';
import type { Bar, Point } from '../../probe/chart';
import { ticksOf } from './axis';

const barWidth = 260;
const rowHeight = 24;

/** Bars from zero, one below another, with intervals. `reference` marks a value such as the chance level. */
export function bars(title: string, items: readonly Bar[], reference?: number): string {
  const ends = items.flatMap(({ value, ci }) => [value, ...(ci ?? [])]);
  const low = Math.min(0, smallest(ends));
  const high = Math.max(low + 1e-12, reference ?? 0, largest(ends));
  const left = widthOfNames(items);
  const x = (value: number) => left + ((value - low) / (high - low)) * barWidth;
  const lines = items.map(({ name, value, ci, n }, i) => {
    const y = i * rowHeight + rowHeight / 2 + 4;
    const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
    return (
      `<text x="${left - 8}" y="${y + 4}" text-anchor="end">${e(shortened(name))}</text>` +
      `<rect class="mark" x="${at(from)}" y="${y - 7}" width="${at(Math.max(1, to - from))}" height="14" opacity=".45"/>` +
      (ci ? `<line class="span" x1="${at(x(ci[0]))}" x2="${at(x(ci[1]))}" y1="${y}" y2="${y}"/>` : '') +
      `<text x="${left + barWidth + 8}" y="${y + 4}">${figure(value)} · ${n}</text>`
    );
  });
  const height = items.length * rowHeight + 8;
  const mark =
    reference === undefined
      ? ''
      : `<line class="reference" x1="${at(x(reference))}" x2="${at(x(reference))}" y1="0" y2="${height}"/>`;
  return wrapped(title, left + barWidth + 100, height, lines.join('') + mark);
}

const plotWidth = 460;
const plotHeight = 180;
const margin = { left: 76, right: 16, top: 8, bottom: 36 };

/** A histogram with a line at zero. */
export function histogram(title: string, axis: string, values: Float64Array, bins = 30): string {
  if (values.length === 0) return '';
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  // If there are only a few whole numbers, each gets its own column.
  const whole = high - low < bins && values.every(Number.isInteger);
  if (whole) bins = high - low + 1;
  if (whole || low === high) [low, high] = [low - 0.5, high + 0.5];
  const counts = new Uint32Array(bins);
  for (const value of values) {
    counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))]++;
  }
  const most = largest(counts);
  const width = (plotWidth - margin.left - margin.right) / bins;
  const floor = plotHeight - margin.bottom;
  const columns = Array.from(counts, (count, i) => {
    const height = (count / most) * (floor - margin.top);
    const side = low + ((i + 0.5) / bins) * (high - low) > 0 ? 'mark' : 'other';
    return `<rect class="${side}" x="${at(margin.left + i * width)}" y="${at(floor - height)}" width="${at(width - 1)}" height="${at(height)}"/>`;
  });
  const x = (value: number) =>
    margin.left + ((value - low) / (high - low)) * (plotWidth - margin.left - margin.right);
  const zero =
    low < 0 && high > 0
      ? `<line class="reference" x1="${at(x(0))}" x2="${at(x(0))}" y1="${margin.top}" y2="${floor}"/>`
      : '';
  const labels =
    acrossTicks(low, high, x, floor) +
    `<text x="${plotWidth / 2}" y="${plotHeight - 4}" text-anchor="middle">${e(axis)}</text>` +
    `<text x="${margin.left - 6}" y="${margin.top + 10}" text-anchor="end">${most}</text>`;
  return wrapped(`${title} (${values.length})`, plotWidth, plotHeight, columns.join('') + zero + labels);
}

/**
 * Points with intervals, and their frontier. A point is on the frontier if no other point is better on both
 * axes (less x, more y).
 */
export function tradeOff(title: string, xAxis: string, yAxis: string, points: readonly Point[]): string {
  const [xLow, xHigh] = range(points.flatMap(({ x, xci }) => [x, ...(xci ?? [])]));
  const [yLow, yHigh] = range(points.flatMap(({ y, yci }) => [y, ...(yci ?? [])]));
  const [width, height] = [plotWidth, 320];
  const x = (value: number) =>
    margin.left + 16 + ((value - xLow) / (xHigh - xLow)) * (width - margin.left - margin.right - 16);
  const y = (value: number) =>
    height - margin.bottom - ((value - yLow) / (yHigh - yLow)) * (height - margin.top - margin.bottom);
  const best = frontier(points);
  const line = best.map((point) => `${at(x(point.x))},${at(y(point.y))}`).join(' ');
  const marks = points.map(
    ({ name, x: px, y: py, xci, yci }) =>
      (xci
        ? `<line class="span" x1="${at(x(xci[0]))}" x2="${at(x(xci[1]))}" y1="${at(y(py))}" y2="${at(y(py))}"/>`
        : '') +
      (yci
        ? `<line class="span" x1="${at(x(px))}" x2="${at(x(px))}" y1="${at(y(yci[0]))}" y2="${at(y(yci[1]))}"/>`
        : '') +
      `<circle class="mark" cx="${at(x(px))}" cy="${at(y(py))}" r="5"/>` +
      nameBeside(name, x(px), y(py) - 8, width),
  );
  const floor = height - margin.bottom;
  const axes =
    `<line class="axis" x1="${margin.left}" x2="${width}" y1="${floor}" y2="${floor}"/><line class="axis" x1="${margin.left}" x2="${margin.left}" y1="0" y2="${floor}"/>` +
    acrossTicks(xLow, xHigh, x, floor) +
    `<text x="${width / 2}" y="${height - 4}" text-anchor="middle">${e(xAxis)}</text>` +
    upTicks(yLow, yHigh, y) +
    `<text transform="translate(11 ${height / 2}) rotate(-90)" text-anchor="middle">${e(yAxis)}</text>`;
  return wrapped(
    title,
    width,
    height,
    `${axes}<polyline class="frontier" points="${line}"/>${marks.join('')}`,
  );
}

/** A forest plot: one row per value, with a dot and its interval, on one axis. It suits many evaluators. */
export function forest(title: string, axis: string, items: readonly Bar[], reference?: number): string {
  const ends = items.flatMap(({ value, ci }) => [value, ...(ci ?? [])]);
  const [low, high] = range(reference === undefined ? ends : [...ends, reference]);
  const left = widthOfNames(items);
  const x = (value: number) => left + ((value - low) / (high - low)) * barWidth;
  const floor = items.length * rowHeight + 4;
  const lines = items.map(({ name, value, ci }, i) => {
    const y = i * rowHeight + rowHeight / 2 + 4;
    return (
      `<text x="${at(left - 8)}" y="${y + 4}" text-anchor="end">${e(shortened(name))}</text>` +
      (ci ? `<line class="span" x1="${at(x(ci[0]))}" x2="${at(x(ci[1]))}" y1="${y}" y2="${y}"/>` : '') +
      `<circle class="mark" cx="${at(x(value))}" cy="${y}" r="4"/>`
    );
  });
  const mark =
    reference === undefined
      ? ''
      : `<line class="reference" x1="${at(x(reference))}" x2="${at(x(reference))}" y1="0" y2="${floor}"/>`;
  const axes =
    `<line class="axis" x1="${at(left)}" x2="${at(left + barWidth)}" y1="${floor}" y2="${floor}"/>` +
    acrossTicks(low, high, x, floor) +
    `<text x="${at(left + barWidth / 2)}" y="${floor + 34}" text-anchor="middle">${e(axis)}</text>`;
  return wrapped(title, left + barWidth + 20, floor + 42, axes + mark + lines.join(''));
}

/** Places a name to the right of a point, or to the left if there is no room. */
function nameBeside(name: string, x: number, y: number, width: number): string {
  const text = shortened(name);
  const isLeft = x + 9 + textWidth(text) > width && x - 9 - textWidth(text) > 0;
  return `<text x="${at(isLeft ? x - 9 : x + 9)}" y="${at(y)}" text-anchor="${isLeft ? 'end' : 'start'}">${e(text)}</text>`;
}

function widthOfNames(items: readonly Bar[]): number {
  return Math.ceil(12 + largest(items.map(({ name }) => textWidth(shortened(name)))));
}

/** Estimates the width of a text in the charts' font. The estimate is rather too wide. */
export function textWidth(text: string): number {
  return 7.2 * Array.from(text).length;
}

function acrossTicks(low: number, high: number, x: (value: number) => number, floor: number): string {
  const { values, text } = ticksOf(low, high);
  return values
    .map(
      (value) =>
        `<line class="axis" x1="${at(x(value))}" x2="${at(x(value))}" y1="${floor}" y2="${floor + 4}"/><text x="${at(x(value))}" y="${floor + 16}" text-anchor="middle">${text(value)}</text>`,
    )
    .join('');
}

function upTicks(low: number, high: number, y: (value: number) => number): string {
  const { values, text } = ticksOf(low, high);
  return values
    .map(
      (value) =>
        `<line class="axis" x1="${margin.left - 4}" x2="${margin.left}" y1="${at(y(value))}" y2="${at(y(value))}"/><text x="${margin.left - 6}" y="${at(y(value) + 4)}" text-anchor="end">${text(value)}</text>`,
    )
    .join('');
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

function range(values: readonly number[]): [number, number] {
  const [low, high] = [smallest(values), largest(values)];
  const pad = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}

export function wrapped(title: string, width: number, height: number, content: string): string {
  return `<figure><figcaption>${e(title)}</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${e(title)}">${content}</svg></figure>`;
}

export function at(value: number): string {
  return value.toFixed(1);
}

export function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(3);
}

export function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length > 28 ? `${letters.slice(0, 27).join('')}…` : name;
}
