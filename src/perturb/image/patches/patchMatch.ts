/** Finds a similar patch outside a hole for each patch of the hole (PatchMatch, Barnes et al. 2009). */
import type { Level } from './pyramid';

/** Patches are squares with sides of 2 · `patchRadius` + 1 pixels. */
export const patchRadius = 3;

export interface Field {
  /** Pixels whose patch touches the hole, in reading order. */
  targets: Int32Array;
  /** For each pixel, its index in `targets`; −1 if the pixel is not a target. */
  indexOf: Int32Array;
  /** For each target, the centre of its source patch. */
  sources: Int32Array;
  /** For each target, the mean squared difference from its source patch, plus a penalty for the distance. */
  costs: Float64Array;
}

/** A fast random generator with a fixed seed, because a fill must depend only on the image and the hole. */
export class Draws {
  private state = 0x9e3779b9;

  /** An integer from 0 to `below` − 1. */
  next(below: number): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return (x >>> 0) % below;
  }
}

/** Contains 1 for each pixel whose patch is inside the image and outside the hole. */
export function sourcesOf({ width, height, hole }: Level): Uint8Array {
  const touched = boxed(hole, width, height);
  const valid = new Uint8Array(width * height);
  for (let y = patchRadius; y < height - patchRadius; y++)
    for (let x = patchRadius; x < width - patchRadius; x++)
      if (touched[y * width + x] === 0) valid[y * width + x] = 1;
  return valid;
}

/** Contains 1 for each pixel whose patch touches the hole. */
export function boxed(hole: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(hole.length);
  const out = new Uint8Array(hole.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (hole[y * width + x] === 0) continue;
      const to = Math.min(width - 1, x + patchRadius);
      for (let i = Math.max(0, x - patchRadius); i <= to; i++) rows[y * width + i] = 1;
    }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (rows[y * width + x] === 0) continue;
      const to = Math.min(height - 1, y + patchRadius);
      for (let i = Math.max(0, y - patchRadius); i <= to; i++) out[i * width + x] = 1;
    }
  return out;
}

/** The mean squared difference of two patches over the known pixels of the target. */
function knownCostOf({ width, height, colours, hole }: Level, target: number, source: number): number {
  const tx = target % width;
  const ty = (target - tx) / width;
  let sum = 0;
  let count = 0;
  for (let dy = Math.max(-patchRadius, -ty); dy <= Math.min(patchRadius, height - 1 - ty); dy++)
    for (let dx = Math.max(-patchRadius, -tx); dx <= Math.min(patchRadius, width - 1 - tx); dx++) {
      const a = target + dy * width + dx;
      if (hole[a] !== 0) continue;
      const b = source + dy * width + dx;
      count += 3;
      for (let c = 0; c < 3; c++) {
        const d = colours[a * 3 + c] - colours[b * 3 + c];
        sum += d * d;
      }
    }
  return count === 0 ? 0 : sum / count;
}

/** The mean squared difference of two patches; Infinity if it reaches `limit`. */
function costOf({ width, height, colours }: Level, target: number, source: number, limit: number): number {
  const tx = target % width;
  const ty = (target - tx) / width;
  const left = Math.max(-patchRadius, -tx);
  const right = Math.min(patchRadius, width - 1 - tx);
  const top = Math.max(-patchRadius, -ty);
  const bottom = Math.min(patchRadius, height - 1 - ty);
  const count = (right - left + 1) * (bottom - top + 1) * 3;
  const most = limit * count;
  let sum = 0;
  for (let dy = top; dy <= bottom; dy++) {
    let a = (target + dy * width + left) * 3;
    let b = (source + dy * width + left) * 3;
    const end = a + (right - left + 1) * 3;
    for (; a < end; a++, b++) {
      const d = colours[a] - colours[b];
      sum += d * d;
    }
    if (sum >= most) return Infinity;
  }
  return sum / count;
}

/** The weight of vertical distance: ground, walls and sky are bands, so sources at one height fit best. */
const vertical = 4;

export interface Search {
  rounds: number;
  /** The largest distance between a random candidate and the best source so far. */
  reach: number;
  /** Whether to compare only known pixels, and to ignore the rough colours in the hole. */
  knownOnly: boolean;
  /** The penalty per pixel of distance between target and source. */
  distance: number;
}

/** Improves the sources in a fixed order, with those of neighbours and random ones at falling distance. */
export function match(level: Level, field: Field, valid: Uint8Array, draws: Draws, search: Search): void {
  const { width, height } = level;
  const { targets, indexOf, sources, costs } = field;
  const penalty = (target: number, source: number): number => {
    const dx = (target % width) - (source % width);
    const dy = (target - (target % width) - source + (source % width)) / width;
    return search.distance * Math.sqrt(dx * dx + vertical * dy * dy);
  };
  const difference = (target: number, source: number, limit: number): number =>
    search.knownOnly ? knownCostOf(level, target, source) : costOf(level, target, source, limit);
  for (let i = 0; i < targets.length; i++)
    costs[i] = difference(targets[i], sources[i], Infinity) + penalty(targets[i], sources[i]);
  const attempt = (i: number, source: number): void => {
    if (source === sources[i]) return;
    const far = penalty(targets[i], source);
    if (far >= costs[i]) return;
    const cost = difference(targets[i], source, costs[i] - far) + far;
    if (cost < costs[i]) {
      costs[i] = cost;
      sources[i] = source;
    }
  };
  for (let round = 0; round < search.rounds; round++) {
    const step = round % 2 === 0 ? 1 : -1;
    const first = step === 1 ? 0 : targets.length - 1;
    for (let i = first; i >= 0 && i < targets.length; i += step) {
      const target = targets[i];
      const x = target % width;
      const y = (target - x) / width;
      for (const [dx, dy] of [
        [-step, 0],
        [0, -step],
      ]) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        const beside = indexOf[target + dy * width + dx];
        if (beside < 0) continue;
        const sx = (sources[beside] % width) - dx;
        const source = sources[beside] - dy * width - dx;
        if (sx < 0 || sx >= width || source < 0 || source >= valid.length || valid[source] === 0) continue;
        attempt(i, source);
      }
      for (let reach = search.reach; reach >= 1; reach >>= 1) {
        const best = sources[i];
        const bx = best % width;
        const by = (best - bx) / width;
        const left = Math.max(0, bx - reach);
        const top = Math.max(0, by - reach);
        const sx = left + draws.next(Math.min(width - 1, bx + reach) - left + 1);
        const sy = top + draws.next(Math.min(height - 1, by + reach) - top + 1);
        if (valid[sy * width + sx] === 1) attempt(i, sy * width + sx);
      }
    }
  }
}
