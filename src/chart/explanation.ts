/* Draws why a score is what it is: the words of a caption and the regions of its image, shaded by their influence. */
import { append } from '../base/lists';
import { largest } from '../base/extent';
import type { Picture } from './chart';
import { box, type Drawing, figure, line, type Shape, shortened, textWidth, words } from './drawing';

export interface WordShade {
  word: string;
  /** Null if the influence is unknown. */
  influence: number | null;
}

export interface RegionShades {
  rows: number;
  columns: number;
  /** Row by row from the top. */
  influences: readonly (number | null)[];
  /** Without the image, the map has a frame only. */
  picture?: Picture;
}

const [lineHeight, gap, padding, most] = [44, 6, 5, 0.5];
const mapWidth = 260;
const legendHeight = 20;

/** A number with its sign, so that colour is not the only sign of direction. */
export function signed(value: number | null, ci?: readonly [number, number]): string {
  if (value === null) return '–';
  return value > 0 ? `+${figure(value, ci)}` : figure(value, ci);
}

export function explanationDrawing(
  title: string,
  shades: readonly WordShade[],
  width: number,
  regions?: RegionShades,
): Drawing {
  const { shapes, height } = wordShapes(shades, width);
  const map = regions === undefined ? { shapes: [], height: 0 } : mapShapes(regions, width, height + 8);
  return {
    title,
    width,
    height: height + (map.height > 0 ? map.height + 8 : 0),
    shapes: [...shapes, ...map.shapes],
  };
}

/** Words in lines like a text. Each has its number below, and a full (raises the score) or broken (lowers it) underline. */
function wordShapes(shades: readonly WordShade[], width: number): { shapes: Shape[]; height: number } {
  const strongest = strengthOf(shades.map(({ influence }) => influence));
  const shapes: Shape[] = [];
  let [x, y] = [0, 0];
  for (const { word, influence } of shades) {
    const shown = shortened(word);
    const number = signed(influence);
    const wide = Math.max(textWidth(shown), textWidth(number, 9)) + 2 * padding;
    if (x > 0 && x + wide > width) [x, y] = [0, y + lineHeight];
    const share = influence === null || strongest === 0 ? 0 : Math.abs(influence) / strongest;
    const raises = (influence ?? 0) >= 0;
    if (share > 0) shapes.push(box(x, y + 4, [wide, 20], raises ? 'mark' : 'wrong', most * share));
    append(shapes, underline(x + padding, y + 26, wide - 2 * padding, raises, influence === null));
    shapes.push(words(x + wide / 2, y + 18, shown, 'middle'));
    shapes.push(words(x + wide / 2, y + 37, number, 'middle', { size: 9, ink: 'quiet' }));
    x += wide + gap;
  }
  return { shapes, height: y + lineHeight };
}

function underline(x: number, y: number, wide: number, raises: boolean, unknown: boolean): Shape[] {
  if (unknown) return [];
  return raises
    ? [line(x, y, x + wide, y, 'span')]
    : [
        {
          is: 'path',
          points: [
            [x, y],
            [x + wide, y],
          ],
          ink: 'reference',
          dash: [3, 3],
        },
      ];
}

function mapShapes(
  { rows, columns, influences, picture }: RegionShades,
  width: number,
  top: number,
): { shapes: Shape[]; height: number } {
  const wide = Math.min(mapWidth, width);
  const high = picture === undefined ? (wide * rows) / columns : (wide * picture.height) / picture.width;
  const strongest = strengthOf(influences);
  const [cellWide, cellHigh] = [wide / columns, high / rows];
  const shapes: Shape[] =
    picture === undefined
      ? [box(0, top, [wide, high], 'none')]
      : [{ is: 'picture', x: 0, y: top, wide, high, picture }];
  for (const [cell, influence] of influences.entries()) {
    if (influence === null || influence === 0 || strongest === 0) continue;
    const [x, y] = [(cell % columns) * cellWide, top + Math.floor(cell / columns) * cellHigh];
    const share = Math.abs(influence) / strongest;
    shapes.push(box(x, y, [cellWide, cellHigh], influence > 0 ? 'mark' : 'wrong', 0.75 * share));
    // The sign is shown where the shade is strong enough to be read.
    if (share > 0.5)
      shapes.push(words(x + cellWide / 2, y + cellHigh / 2 + 4, influence > 0 ? '+' : '−', 'middle'));
  }
  const legend = words(0, top + high + 15, `darkest: ±${figure(strongest)}`, 'start', {
    size: 9,
    ink: 'quiet',
  });
  return { shapes: [...shapes, legend], height: high + legendHeight };
}

function strengthOf(values: readonly (number | null)[]): number {
  return largest([0, ...values.map((value) => Math.abs(value ?? 0))]);
}
