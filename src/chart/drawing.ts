/* The shapes of a chart. The unit of length is a twelfth of the text size. */
import { largest } from '../base/extent';
import { shortText } from '../base/pValue';
import type { EncodedImage } from './chart';
import { cutInMiddle } from '../base/text/shortNames';

/** The meaning of a shape, which each output format maps to a colour. */
export type Ink =
  | 'text'
  | 'quiet'
  | 'mark'
  | 'other'
  | 'wrong'
  | 'none'
  | 'span'
  | 'axis'
  | 'reference'
  | 'frontier'
  | 'curve';

export type Shape =
  | { is: 'line'; x1: number; y1: number; x2: number; y2: number; ink: Ink }
  | { is: 'box'; x: number; y: number; wide: number; high: number; ink: Ink; opacity?: number }
  | { is: 'dot'; x: number; y: number; r: number; ink: Ink }
  | {
      is: 'path';
      points: readonly (readonly [number, number])[];
      ink: Ink;
      closed?: boolean;
      opacity?: number;
      /** Alternating lengths of dashes and gaps. */
      dash?: readonly number[];
    }
  | {
      is: 'text';
      x: number;
      y: number;
      text: string;
      anchor?: 'start' | 'middle' | 'end';
      /** The rotation around (x, y), in degrees. */
      turn?: number;
      ink?: Ink;
      /** The font size. The default is 12. */
      size?: number;
    }
  | { is: 'image'; x: number; y: number; wide: number; high: number; image: EncodedImage };

export interface Drawing {
  title: string;
  width: number;
  height: number;
  shapes: readonly Shape[];
}

export type Scale = (value: number) => number;

export function scaled(low: number, high: number, from: number, to: number): Scale {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

export function line(x1: number, y1: number, x2: number, y2: number, ink: Ink): Shape {
  return { is: 'line', x1, y1, x2, y2, ink };
}

export function box(
  x: number,
  y: number,
  [wide, high]: readonly [number, number],
  ink: Ink,
  opacity?: number,
): Shape {
  return { is: 'box', x, y, wide, high, ink, ...(opacity === undefined ? {} : { opacity }) };
}

export function dot(x: number, y: number, r: number, ink: Ink = 'mark'): Shape {
  return { is: 'dot', x, y, r, ink };
}

/** A triangle centred at (x, y), which readers can distinguish from a dot without colour. */
export function triangle(x: number, y: number, r: number): Shape {
  const points = [
    [x, y - 1.2 * r],
    [x + 1.1 * r, y + 0.8 * r],
    [x - 1.1 * r, y + 0.8 * r],
  ] as const;
  return { is: 'path', points, ink: 'wrong', closed: true };
}

export function words(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
  more: { turn?: number; ink?: Ink; size?: number } = {},
): Shape {
  return { is: 'text', x, y, text, anchor, ...more };
}

/** Widths of the printable ASCII characters in Helvetica, in thousandths of the font size. */
const widths = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];

/** Estimates the width of a text. The factor 1.06 allows for fonts that are wider than Helvetica. */
export function textWidth(text: string, size = 12): number {
  let width = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    width += widths[code - 32] ?? (code > 0x2e80 ? 1000 : 600);
  }
  return (width / 1000) * size * 1.06;
}

/** Longer names are cut in the middle, because names often differ only at their ends. */
const lettersOfName = 28;

export function shortened(name: string, most = lettersOfName): string {
  return cutInMiddle(name, most);
}

/** The space for the names at the left of a chart. The factor 1.1 allows for wide fonts such as DejaVu Sans. */
export function widthOfNames(names: readonly string[]): number {
  return Math.ceil(12 + 1.1 * largest(names.map((name) => textWidth(shortened(name)))));
}

/** Breaks a text into lines of at most `width`. Words wider than a line are split. */
export function wrappedText(text: string, width: number, size = 12): string[] {
  const lines: string[] = [];
  let current = '';
  const fits = (part: string) => textWidth(part, size) <= width;
  for (const word of text.split(/\s+/)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (fits(longer)) current = longer;
    else {
      if (current !== '') lines.push(current);
      current = word;
      while (!fits(current)) {
        let end = current.length - 1;
        while (end > 1 && !fits(current.slice(0, end))) end--;
        lines.push(current.slice(0, end));
        current = current.slice(end);
      }
    }
  }
  return current === '' ? lines : [...lines, current];
}

/** A number beside a mark: three decimals, or more if a small value or its interval needs more. */
export function figure(value: number, ci?: readonly [number, number]): string {
  const text = Math.abs(value) >= 100 ? value.toFixed(0) : shortText(value, ci);
  return text.replace('-', '−');
}
