/** Fills a hole with patches of the remaining image, from coarse to fine (Wexler et al. 2007). */
import { nearestSet } from '../distance';
import { blend } from './blend';
import { boxed, Draws, type Field, match, patchRadius, sourcesOf } from './patchMatch';
import { halved, type Level } from './pyramid';

/** Holes up to this depth in pixels need no coarser level. */
const shallow = 3;
/** The minimum width and height of a coarser level, in pixels. */
const leastSide = 24;
const fewSources = 64;
const coarsestRounds = 12;
/** The rounds of the two finest levels, finest first. Its rounds take the most time, so it has the fewest. */
const laterRounds = [2, 4];
const mostRounds = 7;
/** How many pixels the finest level searches around the coarser level's result. */
const fineReach = 8;

/** The penalty per pixel of distance between two patches, in units of squared colour difference. */
const distancePenalty = 0.15;

/** Replaces the colours of a roughly filled hole. Returns false if no whole patch is outside the hole. */
export function synthesise(level: Level): boolean {
  const levels = [level];
  for (;;) {
    const last = levels[levels.length - 1];
    if (depthOf(last) <= shallow || Math.min(last.width, last.height) < 2 * leastSide) break;
    const next = halved(last);
    if (sourcesOf(next).reduce((sum, one) => sum + one, 0) < fewSources) break;
    levels.push(next);
  }
  const draws = new Draws();
  let coarse: { level: Level; field: Field } | undefined;
  for (let at = levels.length - 1; at >= 0; at--) {
    const own = levels[at];
    const valid = sourcesOf(own);
    if (!valid.includes(1)) return false;
    const depth = depths(own);
    const field = fieldOf(own, valid, coarse, draws);
    if (coarse !== undefined) vote(own, field, depth);
    const isCoarsest = at === levels.length - 1;
    const side = Math.max(own.width, own.height);
    const search = {
      rounds: at === 0 ? 1 : 2,
      reach: isCoarsest ? side : at === 0 ? fineReach : side >> 2,
      distance: distancePenalty * (1 << at),
      knownOnly: false,
    };
    // The first match ignores the rough fill, which would favour smooth sources.
    if (isCoarsest) {
      match(own, field, valid, draws, { ...search, rounds: coarsestRounds, knownOnly: true });
      vote(own, field, depth);
    }
    for (let round = isCoarsest ? coarsestRounds : (laterRounds[at] ?? mostRounds); round > 0; round--) {
      match(own, field, valid, draws, search);
      vote(own, field, depth);
    }
    coarse = { level: own, field };
  }
  if (coarse === undefined) return false;
  blend(level, coarse.field);
  return true;
}

function depths({ width, height, hole }: Level): Float64Array {
  const known = { width, height, data: hole.map((value) => 1 - value) };
  return Float64Array.from(nearestSet(known).squared, (value) => Math.sqrt(value));
}

function depthOf(level: Level): number {
  return depths(level).reduce((most, one) => Math.max(most, one), 0);
}

/** The first field of a level: the coarser level's at twice the size, or random sources for the coarsest. */
function fieldOf(
  level: Level,
  valid: Uint8Array,
  coarse: { level: Level; field: Field } | undefined,
  draws: Draws,
): Field {
  const { width, height, hole } = level;
  const near = boxed(hole, width, height);
  const targets = Int32Array.from([...near.keys()].filter((i) => near[i] === 1));
  const indexOf = new Int32Array(width * height).fill(-1);
  targets.forEach((target, i) => (indexOf[target] = i));
  const allowed = Int32Array.from([...valid.keys()].filter((i) => valid[i] === 1));
  const sources = targets.map((target) => {
    const random = allowed[draws.next(allowed.length)];
    if (coarse === undefined) return random;
    const [x, y] = [target % width, Math.floor(target / width)];
    const { width: w, height: h } = coarse.level;
    const cx = Math.min(w - 1, x >> 1);
    const cy = Math.min(h - 1, y >> 1);
    const at = coarse.field.indexOf[cy * w + cx];
    if (at < 0) return random;
    const source = coarse.field.sources[at];
    const sx = x + ((source % w) - cx) * 2;
    const sy = y + (Math.floor(source / w) - cy) * 2;
    if (sx < 0 || sy < 0 || sx >= width || sy >= height) return random;
    return valid[sy * width + sx] === 1 ? sy * width + sx : random;
  });
  return { targets, indexOf, sources, costs: new Float64Array(targets.length) };
}

/** Sets each pixel of the hole to the weighted mean over all patches that cover the pixel. */
function vote({ width, height, colours, hole }: Level, field: Field, depth: Float64Array): void {
  const { targets, indexOf, sources, costs } = field;
  const scale = Math.max(1, quartile(costs));
  const weights = new Float64Array(targets.length);
  for (let i = 0; i < targets.length; i++) {
    const off = 1 + costs[i] / scale;
    const d = 1 + depth[targets[i]];
    weights[i] = 1 / (off * off * off * d);
  }
  const out = new Float32Array(colours);
  for (const target of targets) {
    if (hole[target] === 0) continue;
    const x = target % width;
    const y = (target - x) / width;
    let [r, g, b, total] = [0, 0, 0, 0];
    for (let py = Math.max(0, y - patchRadius); py <= Math.min(height - 1, y + patchRadius); py++)
      for (let px = Math.max(0, x - patchRadius); px <= Math.min(width - 1, x + patchRadius); px++) {
        const at = py * width + px;
        const i = indexOf[at];
        const from = (sources[i] + target - at) * 3;
        const weight = weights[i];
        r += weight * colours[from];
        g += weight * colours[from + 1];
        b += weight * colours[from + 2];
        total += weight;
      }
    out[target * 3] = r / total;
    out[target * 3 + 1] = g / total;
    out[target * 3 + 2] = b / total;
  }
  colours.set(out);
}

function quartile(costs: Float64Array): number {
  const sorted = Float64Array.from(costs).sort();
  return sorted[Math.floor(sorted.length * 0.75)];
}
