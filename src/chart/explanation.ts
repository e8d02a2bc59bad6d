/* Draws why a score is what it is: the words of a caption and the regions of its image, shaded by their influence. */
import { append } from '../base/lists';
import { largest } from '../base/extent';
import type { EncodedImage } from './chart';
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
  image?: EncodedImage;
}

const [lineHeight, gap, padding, most] = [44, 6, 5, 0.5];
const mapWidth = 260;
const legendHeight = 20;

/** A number with its sign, so that colour is not the only sign of direction. */
export function signed(value: number | null, ci?: readonly [number, number]): string {
  if (value === null) return '–';
  return value > 0 ? `+${figure(value, ci)}` : figure(value, ci);
}

export interface ObjectShades {
  /** Boxes are x, y, width, height in an image of `wide` × `high`. */
  found: readonly {
    name: string;
    influence: number | null;
    box: readonly [number, number, number, number];
  }[];
  wide: number;
  high: number;
  image?: EncodedImage;
}

/** The image with a numbered box around each object, and the objects as a list. */
export function objectsDrawing(
  title: string,
  shades: readonly WordShade[],
  width: number,
  { found, wide, high, image }: ObjectShades,
): Drawing {
  const above = wordShapes(shades, width);
  const top = above.height + 8;
  const across = Math.min(mapWidth, width);
  const scale = across / wide;
  const down = high * scale;
  const strongest = strengthOf(found.map(({ influence }) => influence));
  const shapes: Shape[] = [
    image === undefined
      ? box(0, top, [across, down], 'none')
      : { is: 'image', x: 0, y: top, wide: across, high: down, image },
  ];
  for (const { influence, box: edges } of found) {
    const [x, y, w, h] = edges.map((edge) => edge * scale);
    const raises = (influence ?? 0) >= 0;
    const share = strongest === 0 ? 0 : Math.abs(influence ?? 0) / strongest;
    if (share > 0) shapes.push(box(x, top + y, [w, h], raises ? 'mark' : 'wrong', most * share));
    shapes.push(frame(x, top + y, w, h, raises));
  }
  for (const [i, { box: edges }] of found.entries()) {
    const [x, y] = edges.map((edge) => edge * scale);
    const number = String(i + 1);
    const tag: [number, number] = [textWidth(number, 9) + 4, 12];
    // The tags of boxes that reach the edge stay inside the image.
    const [tagX, tagY] = [Math.min(x, across - tag[0]), top + Math.min(y, down - tag[1])];
    shapes.push(box(tagX, tagY, tag, 'none'));
    shapes.push(words(tagX + tag[0] / 2, tagY + 9, number, 'middle', { size: 9 }));
  }
  const list = wordShapes(
    found.map(({ name, influence }, i) => ({ word: `${i + 1}. ${name}`, influence })),
    width,
    top + down + 4,
  );
  append(shapes, list.shapes);
  return { title, width, height: top + down + 4 + list.height, shapes: [...above.shapes, ...shapes] };
}

/** A full frame raises the score, a broken one lowers it. */
function frame(x: number, y: number, wide: number, high: number, raises: boolean): Shape {
  const points = [
    [x, y],
    [x + wide, y],
    [x + wide, y + high],
    [x, y + high],
  ] as const;
  return {
    is: 'path',
    points,
    closed: true,
    ...(raises ? { ink: 'span' } : { ink: 'reference', dash: [3, 3] }),
  };
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
function wordShapes(
  shades: readonly WordShade[],
  width: number,
  top = 0,
): { shapes: Shape[]; height: number } {
  const strongest = strengthOf(shades.map(({ influence }) => influence));
  const shapes: Shape[] = [];
  let [x, y] = [0, top];
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
  return { shapes, height: y - top + lineHeight };
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
  { rows, columns, influences, image }: RegionShades,
  width: number,
  top: number,
): { shapes: Shape[]; height: number } {
  const wide = Math.min(mapWidth, width);
  const high = image === undefined ? (wide * rows) / columns : (wide * image.height) / image.width;
  const strongest = strengthOf(influences);
  const [cellWide, cellHigh] = [wide / columns, high / rows];
  const shapes: Shape[] =
    image === undefined
      ? [box(0, top, [wide, high], 'none')]
      : [{ is: 'image', x: 0, y: top, wide, high, image }];
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
