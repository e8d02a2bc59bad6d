/* Places the names of points, if possible without overlaps. */
import { largest } from '../../base/extent';
import { shortened, textWidth, words, type Shape } from '../drawing';

type Place = readonly [x: number, y: number];
type Segment = readonly [Place, Place];

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface NamedPlace {
  name: string;
  x: number;
  y: number;
}

/** The number of lines that a name may cross. A name that crosses more lines is hard to read. */
const mostCrossed = 1;
/** Half the side of the square around each point. Names must not cover this square. */
const reach = 7;

/**
 * Writes each name beside its point, where the name crosses the fewest lines. If no place is suitable, the point
 * gets a number, and `listed` contains the name.
 */
export function namesOf(
  points: readonly NamedPlace[],
  lines: readonly Segment[],
  inside: Box,
): { shapes: Shape[]; listed: string[] } {
  const taken = points.map(({ x, y }): Box => ({
    left: x - reach,
    right: x + reach,
    top: y - reach,
    bottom: y + reach,
  }));
  const shapes: Shape[] = [];
  const put = (text: string, point: NamedPlace, most: number): boolean => {
    const corners = cornersOf(text, point)
      .filter(({ box }) => isWithin(box, inside) && !taken.some((other) => overlap(box, other)))
      .map((corner) => ({ ...corner, crossed: lines.filter((line) => crosses(line, corner.box)).length }))
      .sort((a, b) => a.crossed - b.crossed);
    const best = corners.at(0);
    if (best === undefined || best.crossed > most) return false;
    taken.push(best.box);
    shapes.push(best.shape);
    return true;
  };
  const listed: string[] = [];
  for (const point of points.filter((one) => !put(shortened(one.name), one, mostCrossed))) {
    const number = String(listed.push(point.name));
    if (put(number, point, Infinity)) continue;
    shapes.push(cornersOf(number, point)[0].shape);
  }
  return { shapes, listed };
}

function cornersOf(text: string, { x, y }: NamedPlace): { shape: Shape; box: Box }[] {
  const wide = textWidth(text);
  return [y - 8, y + 17].flatMap((base) =>
    (['start', 'end'] as const).map((anchor) => {
      const at = anchor === 'start' ? x + 9 : x - 9;
      const left = anchor === 'start' ? at : at - wide;
      return {
        shape: words(at, base, text, anchor),
        box: { left, right: left + wide, top: base - 10, bottom: base + 3 },
      };
    }),
  );
}

function isWithin(box: Box, outer: Box): boolean {
  return (
    box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom
  );
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether any part of the line is in the box (Liang–Barsky algorithm). */
function crosses([[x1, y1], [x2, y2]]: Segment, { left, right, top, bottom }: Box): boolean {
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [x1 - x2, x1 - left],
    [x2 - x1, right - x1],
    [y1 - y2, y1 - top],
    [y2 - y1, bottom - y1],
  ]) {
    if (step === 0 && room < 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from <= to;
}

const lineHeight = 15;

/** A numbered list of the names that did not fit into the chart, in as many columns as fit. */
export function listOf(
  names: readonly string[],
  top: number,
  width: number,
): { shapes: Shape[]; height: number } {
  const texts = names.map((name, i) => `${i + 1}  ${shortened(name)}`);
  const wide = largest([1, ...texts.map((text) => textWidth(text) + 14)]);
  const columns = Math.max(1, Math.floor((width - 6) / wide));
  const shapes = texts.map((text, i) =>
    words(6 + wide * (i % columns), top + lineHeight * Math.floor(i / columns), text),
  );
  return { shapes, height: lineHeight * Math.ceil(names.length / columns) };
}
