import type { Pixels } from '../../perturb/transform';
import type { ImageSpec } from './imageSpec';
import { resize } from './resample';

/** Decoded pixels to what the graph is given. */
export function preprocess(pixels: Pixels, spec: ImageSpec): Float32Array {
  let sized = pixels;
  if (spec.resize !== undefined) {
    const { width, height } = targetSize(pixels, spec.resize);
    sized = resize(pixels, width, height, spec.resize.filter);
  }
  if (spec.crop !== undefined) sized = cropCentre(sized, spec.crop.width, spec.crop.height);
  if (sized.width !== spec.width || sized.height !== spec.height) {
    throw new Error(
      `Preprocessing ended at ${sized.width}×${sized.height} for a graph of ${spec.width}×${spec.height}.`,
    );
  }
  return toTensor(sized, spec);
}

export function targetSize(
  { width, height }: { width: number; height: number },
  rule: NonNullable<ImageSpec['resize']>,
): { width: number; height: number } {
  if (rule.rule === 'exact') return { width: rule.width, height: rule.height };
  let short = rule.side;
  let long = Math.trunc((short * Math.max(width, height)) / Math.min(width, height));
  if (rule.longest !== undefined && long > rule.longest) {
    short = Math.trunc((rule.longest * short) / long);
    long = rule.longest;
  }
  return width <= height ? { width: short, height: long } : { width: long, height: short };
}

/** What lies outside a picture that is too small is black. */
export function cropCentre({ width, height, data }: Pixels, toWidth: number, toHeight: number): Pixels {
  if (width === toWidth && height === toHeight) return { width, height, data };
  const out = new Uint8Array(toWidth * toHeight * 3);
  const left = Math.floor((width - toWidth) / 2);
  const top = Math.floor((height - toHeight) / 2);
  const fromX = Math.max(0, left);
  const toX = Math.max(0, -left);
  const count = Math.min(width, toWidth);
  for (let y = Math.max(0, -top); y < Math.min(toHeight, height - top); y++) {
    const row = ((y + top) * width + fromX) * 3;
    out.set(data.subarray(row, row + count * 3), (y * toWidth + toX) * 3);
  }
  return { width: toWidth, height: toHeight, data: out };
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
