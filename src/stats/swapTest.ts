import { Draws } from './draws';

/**
 * The approximate randomisation test (Noreen 1989): a two-sided p value for no difference between two
 * systems, from random swaps of their results in each row. `difference` receives the swapped rows.
 */
export function swapTest(
  rows: number,
  difference: (swapped: Uint8Array) => number,
  { rounds = 9999, seed = 2025 }: { rounds?: number; seed?: number } = {},
): number {
  const swapped = new Uint8Array(rows);
  const seen = Math.abs(difference(swapped));
  // Allows for rounding errors, which depend on the order of summation.
  const least = seen - 1e-12 * Math.max(1, seen);
  const draws = new Draws('swap test', seed);
  let asFar = 0;
  for (let round = 0; round < rounds; round++) {
    for (let row = 0; row < rows; row += 32) {
      let bits = draws.bits();
      const end = Math.min(row + 32, rows);
      for (let i = row; i < end; i++) {
        swapped[i] = bits & 1;
        bits >>>= 1;
      }
    }
    if (Math.abs(difference(swapped)) >= least) asFar++;
  }
  return (1 + asFar) / (1 + rounds);
}
