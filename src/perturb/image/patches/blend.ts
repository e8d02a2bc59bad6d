/** Copies source patches into the hole, and hides their seams in the gradient domain (Pérez et al. 2003). */
import type { Field } from './patchMatch';
import type { Level } from './pyramid';

interface Grid {
  width: number;
  height: number;
  /** 1 for pixels of the hole, whose correction is unknown. */
  inside: Uint8Array;
  /** The target Laplacian of the correction, with three channels per pixel. */
  wanted: Float64Array;
  value: Float64Array;
}

/** The number of half-sweeps (red or black pixels) before and after each solution on a coarser grid. */
const sweeps = 12;
const cyclesOfFinest = 3;
/** The largest correction of a channel. Larger ones would spread an adjacent object's colour. */
const mostChange = 60;

export function blend(level: Level, field: Field): void {
  const { width, height, colours, hole } = level;
  const { indexOf, sources, targets } = field;
  const copy = new Float64Array(colours);
  for (const target of targets) {
    if (hole[target] === 0) continue;
    const source = sources[indexOf[target]];
    for (let c = 0; c < 3; c++) copy[target * 3 + c] = colours[source * 3 + c];
  }
  const grid: Grid = {
    ...{ width, height, inside: hole },
    wanted: new Float64Array(copy.length),
    value: new Float64Array(copy.length),
  };
  for (const p of targets) {
    if (hole[p] === 0) continue;
    const x = p % width;
    const y = (p - x) / width;
    const at = sources[indexOf[p]];
    for (const [dx, dy] of around) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
      const q = p + dy * width + dx;
      // The gradient from p to q in the source of p, or the mean of both sources' gradients.
      const other = hole[q] === 0 ? -1 : sources[indexOf[q]];
      const own = at + dy * width + dx;
      for (let c = 0; c < 3; c++) {
        const here = colours[own * 3 + c] - colours[at * 3 + c];
        const there = other < 0 ? here : colours[other * 3 + c] - colours[(other - dy * width - dx) * 3 + c];
        const wanted = (here + there) / 2;
        grid.wanted[p * 3 + c] += wanted - (copy[q * 3 + c] - copy[p * 3 + c]);
      }
    }
  }
  solve(grid, cyclesOfFinest);
  for (const p of targets)
    if (hole[p] !== 0)
      for (let c = 0; c < 3; c++) {
        const by = Math.max(-mostChange, Math.min(mostChange, grid.value[p * 3 + c]));
        colours[p * 3 + c] = copy[p * 3 + c] + by;
      }
}

const around = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/** Multigrid: relaxes, solves the residual at half the resolution, and relaxes again. */
function solve(grid: Grid, cycles: number): void {
  for (let cycle = 0; cycle < cycles; cycle++) {
    relax(grid);
    const { width, height } = grid;
    if (Math.min(width, height) < 4) return;
    const w = (width + 1) >> 1;
    const h = (height + 1) >> 1;
    const inside = new Uint8Array(w * h).fill(1);
    const wanted = new Float64Array(w * h * 3);
    let some = false;
    const residue = residueOf(grid);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const from = y * width + x;
        const to = (y >> 1) * w + (x >> 1);
        if (grid.inside[from] === 0) inside[to] = 0;
        for (let c = 0; c < 3; c++) wanted[to * 3 + c] += residue[from * 3 + c];
      }
    for (const value of inside) some ||= value === 1;
    if (!some) return;
    const coarse: Grid = { width: w, height: h, inside, wanted, value: new Float64Array(w * h * 3) };
    solve(coarse, 1);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = y * width + x;
        if (grid.inside[at] === 0) continue;
        const from = ((y >> 1) * w + (x >> 1)) * 3;
        for (let c = 0; c < 3; c++) grid.value[at * 3 + c] += coarse.value[from + c];
      }
    relax(grid);
  }
}

/** Relaxes the grid with Gauss-Seidel half-sweeps, over red and black pixels in turn. */
function relax({ width, height, inside, wanted, value }: Grid): void {
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (let y = 0; y < height; y++)
      for (let x = (y + sweep) & 1; x < width; x += 2) {
        const p = y * width + x;
        if (inside[p] === 0) continue;
        for (let c = 0; c < 3; c++) {
          const at = p * 3 + c;
          let sum = 0;
          let count = 0;
          if (x > 0) {
            sum += value[at - 3];
            count++;
          }
          if (x + 1 < width) {
            sum += value[at + 3];
            count++;
          }
          if (y > 0) {
            sum += value[at - 3 * width];
            count++;
          }
          if (y + 1 < height) {
            sum += value[at + 3 * width];
            count++;
          }
          value[at] = (sum - wanted[at]) / count;
        }
      }
}

function residueOf({ width, height, inside, wanted, value }: Grid): Float64Array {
  const out = new Float64Array(value.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const p = y * width + x;
      if (inside[p] === 0) continue;
      for (let c = 0; c < 3; c++) {
        const at = p * 3 + c;
        let sum = 0;
        if (x > 0) sum += value[at - 3] - value[at];
        if (x + 1 < width) sum += value[at + 3] - value[at];
        if (y > 0) sum += value[at - 3 * width] - value[at];
        if (y + 1 < height) sum += value[at + 3 * width] - value[at];
        out[at] = wanted[at] - sum;
      }
    }
  return out;
}
