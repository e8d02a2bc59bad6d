/** The smallest change in percent that the invariance paper calls meaningful in practice. */
export const largeChange = 6;

/** Scores below this size have no change in percent. */
export const leastScore = 1e-6;

/** A score's change in percent. Null if the score before the change is too close to zero. */
export function changeOf(score: number, against: number): number | null {
  return Math.abs(against) < leastScore ? null : (100 * (score - against)) / Math.abs(against);
}
