import type { Pixels } from '../../../perturb/image/pixels';
import type { ImageSpec, ResampleFilter } from '../../../protocol/imageSpec';
import { resize, resizePart } from './resample';

/** Turns decoded pixels into a graph's input. */
export function preprocess(pixels: Pixels, spec: ImageSpec): Float32Array {
  if (spec.patches !== undefined) return patchesOf(pixels, spec, spec.patches);
  let sized = pixels;
  if (spec.resize !== undefined) {
    const { width, height } = targetSize(pixels, spec.resize);
    sized = resizeAndCrop(pixels, { width, height }, spec.resize.filter, spec);
  } else if (spec.crop !== undefined) sized = cropCentre(pixels, spec.crop);
  if (sized.width !== spec.width || sized.height !== spec.height) {
    throw new Error(
      `Preprocessing gives ${sized.width}×${sized.height} pixels; the graph needs ${spec.width}×${spec.height}.`,
    );
  }
  return toTensor(sized, spec);
}

/** The patch grid of an image: as many patches as allowed, at about the image's aspect ratio. */
export function patchGrid(
  { width, height }: { width: number; height: number },
  { width: side }: Pick<ImageSpec, 'width'>,
  { most }: { most: number },
): { rows: number; columns: number } {
  const along = (scale: number, size: number): number => Math.max(1, Math.ceil((size * scale) / side));
  // transformers has the same bounds. Other bounds would sometimes give another number of patches.
  let [low, high] = [1e-5 / 10, 100];
  while (high - low >= 1e-5) {
    const scale = (low + high) / 2;
    if (along(scale, height) * along(scale, width) <= most) low = scale;
    else high = scale;
  }
  return { rows: along(low, height), columns: along(low, width) };
}

/** The patches in row-major order. The pixels of each patch are in row-major order, too. Unused patches are zero. */
function patchesOf(
  pixels: Pixels,
  spec: ImageSpec,
  patches: NonNullable<ImageSpec['patches']>,
): Float32Array {
  const { rows, columns } = patchGrid(pixels, spec, patches);
  const { width: side } = spec;
  const sized = resize(pixels, columns * side, rows * side, patches.filter, spec.resampler);
  const values = toTensor(sized, { ...spec, layout: 'channels-last' });
  const out = new Float32Array(patches.most * side * side * 3);
  const line = side * 3;
  for (let row = 0; row < rows * side; row++) {
    for (let column = 0; column < columns; column++) {
      const patch = Math.floor(row / side) * columns + column;
      const from = (row * columns + column) * line;
      out.set(values.subarray(from, from + line), (patch * side + (row % side)) * line);
    }
  }
  return out;
}

export function targetSize(
  { width, height }: { width: number; height: number },
  rule: NonNullable<ImageSpec['resize']>,
): { width: number; height: number } {
  if (rule.rule === 'exact') return { width: rule.width, height: rule.height };
  if (rule.rule !== 'shortest') {
    const both = [height / rule.height, width / rule.width];
    const ratio = rule.rule === 'fit' ? Math.max(both[0], both[1]) : Math.min(both[0], both[1]);
    return { width: halfToEven(width / ratio), height: halfToEven(height / ratio) };
  }
  let short = rule.side;
  let long = Math.trunc((short * Math.max(width, height)) / Math.min(width, height));
  if (rule.longest !== undefined && long > rule.longest) {
    short = Math.trunc((rule.longest * short) / long);
    long = rule.longest;
  }
  return width <= height ? { width: short, height: long } : { width: long, height: short };
}

/** Resizes, then crops. If possible, computes only the pixels of the crop. */
function resizeAndCrop(
  pixels: Pixels,
  size: { width: number; height: number },
  filter: ResampleFilter,
  { crop, resampler }: ImageSpec,
): Pixels {
  const inside =
    crop !== undefined &&
    filter !== 'nearest' &&
    size.width >= crop.width &&
    size.height >= crop.height &&
    size.width !== pixels.width &&
    size.height !== pixels.height;
  if (inside) {
    const [left, top] = [
      cropStart(size.width - crop.width, crop),
      cropStart(size.height - crop.height, crop),
    ];
    return resizePart(pixels, size, { left, top, width: crop.width, height: crop.height }, filter, resampler);
  }
  const sized = resize(pixels, size.width, size.height, filter, resampler);
  return crop === undefined ? sized : cropCentre(sized, crop);
}

/** The position of the crop on a side. `room` is the length of the side minus the length of the crop. */
function cropStart(room: number, { halves }: NonNullable<ImageSpec['crop']>): number {
  if (halves === undefined) return Math.floor(room / 2);
  return room < 0 ? -Math.floor(-room / 2) : halfToEven(room / 2);
}

/** Crops the centre. Missing areas of small images are filled with `fill`, or with black. */
export function cropCentre({ width, height, data }: Pixels, crop: NonNullable<ImageSpec['crop']>): Pixels {
  const { width: toWidth, height: toHeight, fill = 0 } = crop;
  if (width === toWidth && height === toHeight) return { width, height, data };
  const out = new Uint8Array(toWidth * toHeight * 3).fill(fill);
  const left = cropStart(width - toWidth, crop);
  const top = cropStart(height - toHeight, crop);
  const fromX = Math.max(0, left);
  const toX = Math.max(0, -left);
  const count = Math.min(width, toWidth);
  for (let y = Math.max(0, -top); y < Math.min(toHeight, height - top); y++) {
    const row = ((y + top) * width + fromX) * 3;
    out.set(data.subarray(row, row + count * 3), (y * toWidth + toX) * 3);
  }
  return { width: toWidth, height: toHeight, data: out };
}

/** Rounds as Python's round() does. */
function halfToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

function toTensor({ width, height, data }: Pixels, spec: ImageSpec): Float32Array {
  const out = new Float32Array(width * height * 3);
  const area = width * height;
  for (let to = 0; to < 3; to++) {
    const from = spec.order === 'rgb' ? to : 2 - to;
    const table = Float32Array.from(
      { length: 256 },
      (_, v) => (v * spec.rescale - spec.mean[to]) / spec.std[to],
    );
    const [start, step] = spec.layout === 'channels-first' ? [to * area, 1] : [to, 3];
    for (let i = 0; i < area; i++) out[start + i * step] = table[data[i * 3 + from]];
  }
  return out;
}
