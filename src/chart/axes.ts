/* Draws axes with round numbers. */
import { largest, smallest } from '../base/extent';
import { line, type Scale, type Shape, textWidth, words, wrappedText } from './drawing';
import { type Ticks, ticksOf } from './ticks';

/** Height of an axis with its numbers and its title. */
export const axisHeight = 40;

/** An axis below a chart: line, ticks with numbers, and title. */
export function axisAcross(
  x: Scale,
  [low, high]: readonly [number, number],
  floor: number,
  title: string,
  ticks: Ticks = ticksFor(low, high, Math.abs(x(high) - x(low)), textWidth),
): Shape[] {
  return [
    line(x(low), floor, x(high), floor, 'axis'),
    ...ticks.values.flatMap((value) => [
      line(x(value), floor, x(value), floor + 4, 'axis'),
      ...(ticks.text(value) === '' ? [] : [words(x(value), floor + 16, ticks.text(value), 'middle')]),
    ]),
    ...(title === '' ? [] : [words((x(low) + x(high)) / 2, floor + 33, title, 'middle')]),
  ];
}

/** Ticks whose labels fit on the axis: about 5, or fewer on a short axis. */
function ticksFor(low: number, high: number, length: number, widthOf: (text: string) => number): Ticks {
  for (const about of [5, 4, 3]) {
    const ticks = ticksOf(low, high, about);
    const widest = largest(ticks.values.map((value) => widthOf(ticks.text(value))));
    if (ticks.values.length * (widest + 8) <= length) return ticks;
  }
  return ticksOf(low, high, 2);
}

/** Wraps the title and note of an axis. Each line is centred below the axis, or moved left to fit into `width`. */
export function textBelow(
  x: Scale,
  [low, high]: readonly [number, number],
  floor: number,
  texts: readonly string[],
  width: number,
): { shapes: Shape[]; height: number } {
  const lines = texts.flatMap((text) => wrappedText(text, width - 12));
  const centre = (x(low) + x(high)) / 2;
  const shapes = lines.map((text, i) =>
    words(Math.min(centre, width - 6 - textWidth(text) / 2), floor + 33 + 15 * i, text, 'middle'),
  );
  return { shapes, height: axisHeight + 15 * (lines.length - 1) };
}

/** An axis at the left of a chart: line, ticks with numbers, and a vertical title. */
export function axisUp(
  y: Scale,
  [low, high]: readonly [number, number],
  left: number,
  title: string,
  ticks: Ticks = ticksOf(low, high),
): Shape[] {
  return [
    line(left, y(low), left, y(high), 'axis'),
    ...ticks.values.flatMap((value) => [
      line(left - 4, y(value), left, y(value), 'axis'),
      words(left - 6, y(value) + 4, ticks.text(value), 'end'),
    ]),
    words(11, (y(low) + y(high)) / 2, title, 'middle', { turn: -90 }),
  ];
}

/** Ticks for counts, which are whole numbers. */
export function wholeTicks(most: number): Ticks {
  const ticks = ticksOf(0, most);
  const values = ticks.values.filter(Number.isInteger);
  return { values: values.length > 1 ? values : [0, Math.ceil(most)], text: String };
}

/** The smallest value minus a margin, and the largest value plus a margin. */
export function padded(values: Iterable<number>, share = 0.08): [number, number] {
  const all = [...values];
  const [low, high] = [smallest(all), largest(all)];
  const pad = (high - low) * share || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}
